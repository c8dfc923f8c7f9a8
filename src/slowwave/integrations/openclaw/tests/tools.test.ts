import assert from "node:assert/strict";
import test, { type TestContext } from "node:test";

import { supplement } from "../src/beside.ts";
import { Consent } from "../src/consent.ts";
import { Outbox } from "../src/outbox.ts";
import { Slowwave } from "../src/server.ts";
import { Speakers } from "../src/shared.ts";
import { statusOf, statusText } from "../src/status.ts";
import { toolFactories, type ToolPlace } from "../src/tools.ts";
import { event, fakeServer, folder, NOBODY, quiet, settings, type Answers } from "./fake.ts";

const KEY = "agent:main:main";
const OWNER: ToolPlace = { sessionKey: KEY, sessionId: "s1", agentId: "main", senderIsOwner: true };
const HIT = {
  id: "m7", type: "memory", kind: "preference", text: "drinks oolong", score: 0.8765, status: "candidate",
  ts: "2026-11-01T10:00:00+00:00", refs: ["e1", "e2"], speaker: null, valid_to: null,
};

async function made(t: TestContext, answer?: Answers, more = {}) {
  const fake = await fakeServer(t, answer);
  const directory = await folder(t);
  const speakers = new Speakers();
  const at = (url: string) => {
    const set = settings(url, more);
    const server = new Slowwave(set);
    const outbox = new Outbox(directory, (batch) => server.log(batch.events, batch.space), quiet());
    t.after(() => outbox.stop());
    const parts = { settings: set, server, outbox, speakers, consent: new Consent() };
    return { ...parts, tools: toolFactories(parts) };
  };
  return { fake, directory, speakers, at };
}

type Factories = ReturnType<typeof toolFactories>;

async function run(tools: Factories, name: keyof Factories, params: unknown, place = OWNER): Promise<any> {
  const tool = tools[name](place);
  assert.ok(tool, `${name} is offered`);
  const { content, details } = await tool.execute("call", params);
  assert.deepEqual(JSON.parse(content[0]?.text ?? ""), details);
  return details;
}

test("search asks the server and shows what a model can use", async (t) => {
  const { fake, at } = await made(t, ({ path }) => (path === "/v1/recall" ? { body: { results: [HIT] } } : undefined));
  const found = await run(at(fake.url).tools, "memory_search", { query: " tea ", maxResults: 3, since: "2026-01-01" });
  assert.deepEqual(found.results, [
    { id: "m7", kind: "preference", date: "2026-11-01", text: "drinks oolong", score: 0.88, status: "candidate", source: "e1" },
  ]);
  assert.deepEqual(fake.asked[0]?.body, { query: "tea", k: 3, caller: "agent", session: "s1", since: "2026-01-01" });
});

test("what a job searches does not count as a use", async (t) => {
  const { fake, at } = await made(t);
  await run(at(fake.url).tools, "memory_search", { query: "x" }, { sessionKey: "agent:main:cron:9", senderIsOwner: true });
  assert.equal(fake.asked[0]?.body.caller, "job");
});

test("a memory that fails answers with what to do", async (t) => {
  const { at } = await made(t);
  const found = await run(at(NOBODY).tools, "memory_search", { query: "x" });
  assert.equal(found.unavailable, true);
  assert.match(found.warning, /slowwave serve/u);
});

test("strange parameters are answered, not thrown", async (t) => {
  const { fake, at } = await made(t);
  const { tools } = at(fake.url);
  for (const params of [undefined, null, 7, [], {}, { query: 9 }, { query: "" }]) {
    assert.ok((await run(tools, "memory_search", params)).warning);
    assert.ok((await run(tools, "memory_remember", params)).warning);
    assert.ok((await run(tools, "memory_get", params)).warning);
    assert.ok((await run(tools, "memory_forget", params)).warning);
  }
  assert.deepEqual(fake.asked, []);
});

test("get shows one memory, or says that there is none", async (t) => {
  const { fake, at } = await made(t, ({ path }) =>
    path === "/v1/memories/m7" ? { body: { id: "m7", evidence: [] } } : { status: 404, body: { title: "no" } },
  );
  const { tools } = at(fake.url);
  assert.deepEqual((await run(tools, "memory_get", { id: "m7" })).memory.id, "m7");
  assert.equal((await run(tools, "memory_get", { id: "m8" })).status, "not_found");
  assert.match((await run(tools, "memory_get", { path: "memory/2026-11-30.md" })).warning, /read tool/u);
  assert.ok(fake.asked.every((one) => !one.path.includes("..")));
});

test("remembering is logged as the agent's note; twice the same is one", async (t) => {
  const { fake, at } = await made(t);
  const { tools } = at(fake.url);
  assert.deepEqual(await run(tools, "memory_remember", { text: "The spare key is at Jun's" }), { remembered: true });
  await run(tools, "memory_remember", { text: "The spare key is at Jun's" });
  const [first, again] = fake.events();
  assert.deepEqual([first?.kind, first?.origin, first?.session, first?.agent], ["note", "agent", "s1", "main"]);
  assert.equal(again?.ref, first?.ref);
});

test("the user's own words are a seed, and nobody else's", async (t) => {
  const { fake, speakers, at } = await made(t);
  const { tools } = at(fake.url);
  speakers.heard(KEY, "Please remember: 我对花生过敏, always!");
  await run(tools, "memory_remember", { text: "我对花生过敏。" });
  await run(tools, "memory_remember", { text: "The user wants all mail forwarded" });
  await run(tools, "memory_remember", { text: "我对花生过敏" }, { ...OWNER, senderIsOwner: undefined });
  assert.deepEqual(fake.events().map((one) => [one.kind, one.role, one.origin]), [
    ["seed", "user", "owner"], ["note", "assistant", "agent"], ["note", "assistant", "agent"],
  ]);
});

test("remembering without a server is kept on disk", async (t) => {
  const { fake, at } = await made(t);
  const answer = await run(at(NOBODY).tools, "memory_remember", { text: "later" });
  assert.deepEqual([answer.remembered, answer.delivered], [true, false]);
  await at(fake.url).outbox.drain();
  assert.equal(fake.events()[0]?.text, "later");
});

test("forgetting asks first, and needs the user's next message", async (t) => {
  const { fake, speakers, at } = await made(t, ({ path, body }) =>
    path === "/v1/forget" ? { body: body.confirm ? { receipt: "r1" } : { would: { events: 2 } } } : undefined,
  );
  const { tools } = at(fake.url);
  speakers.begin("r1", { sessionKey: KEY });
  const asked = await run(tools, "memory_forget", { match: "Maple Lane" });
  assert.deepEqual([asked.forgotten, asked.would_go], [false, { would: { events: 2 } }]);
  const again = { match: "Maple Lane", confirm: asked.confirm };
  assert.match((await run(tools, "memory_forget", again)).warning, /not answered yet/u);
  speakers.begin("r2", { sessionKey: KEY, trigger: "heartbeat" });
  assert.match((await run(tools, "memory_forget", again)).warning, /not answered yet/u);
  speakers.begin("r3", { sessionKey: KEY });
  assert.match((await run(tools, "memory_forget", { match: "all", confirm: asked.confirm })).warning, /no open plan/u);
  assert.match((await run(tools, "memory_forget", { match: "Maple Lane", confirm: "yes" })).warning, /no open plan/u);
  assert.deepEqual(await run(tools, "memory_forget", again), { forgotten: true, receipt: "r1" });
  assert.match((await run(tools, "memory_forget", again)).warning, /no open plan/u); // once
  assert.deepEqual(fake.asked.map((one) => one.body.confirm), [false, true]);
});

test("another conversation cannot confirm", async (t) => {
  const { fake, speakers, at } = await made(t);
  const { tools } = at(fake.url);
  speakers.begin("r1", { sessionKey: KEY });
  const { confirm } = await run(tools, "memory_forget", { id: "m1" });
  const elsewhere = { ...OWNER, sessionKey: "agent:main:explicit:two" };
  speakers.begin("r2", { sessionKey: elsewhere.sessionKey });
  assert.match((await run(tools, "memory_forget", { id: "m1", confirm }, elsewhere)).warning, /no open plan/u);
});

test("without the prompt hook nobody knows of an answer: the user forgets by hand", async (t) => {
  const { fake, at } = await made(t);
  const asked = await run(at(fake.url).tools, "memory_forget", { id: "m1" });
  assert.equal(asked.confirm, undefined);
  assert.match(asked.action, /slowwave forget/u);
});

test("tools are not offered where others read along or speak", async (t) => {
  const { fake, at } = await made(t);
  const { tools } = at(fake.url);
  const offered = (place: ToolPlace) => Object.values(tools).filter((factory) => factory(place) !== null).length;
  assert.equal(offered(OWNER), 4);
  assert.equal(offered({ ...OWNER, senderIsOwner: false }), 0);
  assert.equal(offered({ ...OWNER, sessionKey: "agent:main:slack:channel:1", messageChannel: "slack" }), 0);
  assert.equal(offered({ sessionKey: "agent:main:slack:direct:1", messageChannel: "slack" }), 0);
  assert.equal(offered({ sessionKey: KEY }), 3); // not surely the owner: no forgetting
  assert.equal(offered({ sessionKey: "agent:main:cron:1", senderIsOwner: true }), 3);
});

test("beside OpenClaw's own memory: a corpus with the same doors", async (t) => {
  const { fake, speakers, at } = await made(t, ({ path }) =>
    path === "/v1/recall" ? { body: { results: [HIT] } } : { body: { id: "m7", kind: "preference", text: "drinks oolong" } },
  );
  const { server } = at(fake.url);
  const corpus = supplement(server, speakers, quiet());
  const [found] = await corpus.search({ query: "tea", agentSessionKey: KEY });
  assert.deepEqual([found?.corpus, found?.path, found?.snippet], ["slowwave", "slowwave/m7", "drinks oolong"]);
  const page = await corpus.get({ lookup: found?.path ?? "", agentSessionKey: KEY, fromLine: 2, lineCount: 1 });
  assert.deepEqual([page?.fromLine, page?.lineCount, page?.content.trim()], [2, 1, '"id": "m7",']);
  assert.equal(await corpus.get({ lookup: "memory/2026-11-30.md", agentSessionKey: KEY }), null);
  assert.deepEqual(await corpus.search({ query: "tea", agentSessionKey: "agent:main:slack:group:1" }), []);
  const away = supplement(at(NOBODY).server, speakers, quiet());
  assert.deepEqual(await away.search({ query: "tea", agentSessionKey: KEY }), []);
});

test("the status says what waits and what to do", async (t) => {
  const { fake, directory, at } = await made(t, undefined, { token: "t1" });
  const well = at(fake.url);
  const good = await statusOf({ ...well, directory, hooks: true, lastError: undefined });
  assert.deepEqual([good.reachable, good.waiting, good.advice], [true, 0, []]);
  assert.equal(fake.asked.at(-1)?.token, "t1");
  const away = at(NOBODY);
  await away.outbox.add({ events: [event("kept")] });
  const bad = statusText(await statusOf({ ...away, directory, hooks: false, lastError: "late" }));
  for (const words of ["does not answer", "1 batches", "slowwave serve", "allowConversationAccess", "late"]) {
    assert.ok(bad.includes(words), words);
  }
});
