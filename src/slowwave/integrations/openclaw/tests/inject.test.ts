import assert from "node:assert/strict";
import test, { type TestContext } from "node:test";

import { Injection, questionOf } from "../src/inject.ts";
import { Slowwave } from "../src/server.ts";
import { Speakers } from "../src/shared.ts";
import { fakeServer, NOBODY, quiet, settings, type Answers } from "./fake.ts";

const KEY = "agent:main:main";
const HERE = { sessionKey: KEY, sessionId: "s1", trigger: "user" };
const BLOCK = '<slowwave-memory retrieved="2026-11-30" trust="untrusted">\n…\n</slowwave-memory>';
const remembers: Answers = ({ path }) => (path === "/v1/context" ? { body: { text: BLOCK } } : undefined);

async function made(t: TestContext, answer: Answers = remembers, more = {}) {
  const fake = await fakeServer(t, answer);
  const speakers = new Speakers();
  const log = quiet();
  const clock = { now: Date.now() };
  const at = (url: string) =>
    new Injection(new Slowwave(settings(url, { timeoutMs: 300, ...more })), speakers, log, () => clock.now);
  return { fake, speakers, log, clock, at };
}

test("asks with the current message, the budget and the session", async (t) => {
  const { fake, at } = await made(t, remembers, { budget: 250, space: "home" });
  const block = await at(fake.url).before({ prompt: "history… what tea?", currentUserMessage: "what tea?" }, HERE);
  assert.equal(block, BLOCK);
  assert.deepEqual(fake.asked[0]?.body, { query: "what tea?", budget: 250, session: "s1" });
  assert.equal(fake.asked[0]?.space, "home");
});

test("nothing relevant, no block; nothing asked, no question", async (t) => {
  const { fake, at } = await made(t, () => ({ body: { text: "" } }));
  assert.equal(await at(fake.url).before({ prompt: "hm" }, HERE), undefined);
  assert.equal(await at(fake.url).before({ prompt: "old talk", currentUserMessage: "" }, HERE), undefined);
  assert.equal(fake.asked.length, 1);
});

test("memory that is slow, away, broken or closed never fails the turn", async (t) => {
  const slow = await made(t, () => ({ delayMs: 2_000 }));
  assert.equal(await slow.at(slow.fake.url).before({ prompt: "x" }, HERE), undefined);
  const broken = await made(t, () => ({ status: 500, body: "oops" }));
  assert.equal(await broken.at(broken.fake.url).before({ prompt: "x" }, HERE), undefined);
  const closed = await made(t, () => ({ status: 403 }));
  assert.equal(await closed.at(closed.fake.url).before({ prompt: "x" }, HERE), undefined);
  const away = await made(t);
  assert.equal(await away.at(NOBODY).before({ prompt: "x" }, HERE), undefined);
});

test("after two failures turns stop waiting for a while, then memory is back", async (t) => {
  const { fake, log, clock, at } = await made(t, () => ({ status: 503 }));
  const injection = at(fake.url);
  for (let turn = 0; turn < 5; turn++) await injection.before({ prompt: "x" }, HERE);
  assert.equal(fake.asked.length, 2);
  assert.equal(log.lines.filter((line) => line.includes("without memory")).length, 1);
  fake.answer = remembers;
  clock.now += 60_000;
  assert.equal(await injection.before({ prompt: "x" }, HERE), BLOCK);
  assert.equal(injection.lastError, undefined);
});

test("groups, other people and jobs get nothing, and the server is not even asked", async (t) => {
  const { fake, speakers, at } = await made(t);
  const injection = at(fake.url);
  const group = { sessionKey: "agent:main:telegram:group:1", channel: "telegram", trigger: "user" };
  speakers.note(group.sessionKey, true);
  assert.equal(await injection.before({ prompt: "x" }, group), undefined);
  const stranger = { sessionKey: "agent:main:telegram:direct:2", channel: "telegram", trigger: "user" };
  speakers.note(stranger.sessionKey, false);
  assert.equal(await injection.before({ prompt: "x" }, stranger), undefined);
  assert.equal(await injection.before({ prompt: "x" }, { ...stranger, runId: "r7" }), undefined);
  assert.equal(await injection.before({ prompt: "x" }, { ...HERE, trigger: "cron" }), undefined);
  assert.deepEqual(fake.asked, []);
});

test("the owner in a direct chat of a messenger is known by what the tools were told", async (t) => {
  const { fake, speakers, at } = await made(t);
  const direct = { sessionKey: "agent:main:telegram:direct:1", channel: "telegram", trigger: "user", runId: "r1" };
  speakers.note(direct.sessionKey, true);
  assert.equal(await at(fake.url).before({ prompt: "x" }, direct), BLOCK);
  // The next turn has no word of who speaks: closed.
  assert.equal(await at(fake.url).before({ prompt: "x" }, { ...direct, runId: "r2" }), undefined);
});

test("injection can be turned off", async (t) => {
  const { fake, at } = await made(t, remembers, { inject: false });
  assert.equal(await at(fake.url).before({ prompt: "x" }, HERE), undefined);
  assert.deepEqual(fake.asked, []);
});

test("a question is without what memory put there, and of reasonable length", () => {
  assert.equal(questionOf({ prompt: `${BLOCK}\n\nand now?` }), "and now?");
  assert.equal(questionOf({ prompt: "字".repeat(90_000) }).length, 4_000);
});
