import assert from "node:assert/strict";
import test, { type TestContext } from "node:test";

import { Capture, type Moment } from "../src/capture.ts";
import { Cursors } from "../src/cursors.ts";
import { Outbox } from "../src/outbox.ts";
import { Slowwave } from "../src/server.ts";
import { Speakers } from "../src/shared.ts";
import { fakeServer, folder, NOBODY, quiet, settings } from "./fake.ts";

const KEY = "agent:main:main";
const MOMENT: Moment = { sessionKey: KEY, sessionId: "s1", agentId: "main", runId: "r1", trigger: "user" };
const said = (text: string, timestamp: number) => ({ role: "user", content: text, timestamp });
const answer = (text: string, timestamp: number) => ({
  role: "assistant", content: [{ type: "text", text }], timestamp,
});

async function made(t: TestContext, more = {}) {
  const fake = await fakeServer(t);
  const directory = await folder(t);
  const log = quiet();
  const speakers = new Speakers();
  speakers.note(KEY, true);
  speakers.begin("r1", { sessionKey: KEY, sessionId: "s1" });
  const at = (url: string, limits = {}) => {
    const set = settings(url, { space: "home", ...more });
    const server = new Slowwave(set);
    const outbox = new Outbox(directory, (batch) => server.log(batch.events, batch.space), log, limits);
    t.after(() => outbox.stop());
    return new Capture({ settings: set, outbox, cursors: new Cursors(directory), speakers, log });
  };
  return { fake, log, at, texts: () => fake.events().map((one) => one.text) };
}

test("every turn hands over what is new, though OpenClaw gives all of it each time", async (t) => {
  const { fake, at, texts } = await made(t);
  const capture = at(fake.url);
  const first = [said("我下周去杭州", 1_000), answer("好。", 1_001)];
  await capture.take(first, MOMENT);
  await capture.take([...first, said("book a room", 2_000), answer("done", 2_001)], MOMENT);
  assert.deepEqual(texts(), ["我下周去杭州", "好。", "book a room", "done"]);
  assert.deepEqual(new Set(fake.asked.map((one) => one.space)), new Set(["home"]));
});

test("nothing is sent twice after a restart, nor by compaction, reset and end together", async (t) => {
  const { fake, at, texts } = await made(t);
  const turn = [said("one", 1_000), answer("two", 1_001)];
  await at(fake.url).take(turn, MOMENT);
  const later = at(fake.url); // a new process
  await Promise.all([
    later.take(turn, { sessionKey: KEY }), // before_compaction knows the key only
    later.take([...turn, said("three", 2_000)], MOMENT),
    later.take(turn.map((message) => ({ type: "message", message })), MOMENT),
  ]);
  assert.deepEqual(texts(), ["one", "two", "three"]);
});

test("a message that was queued while the agent spoke is not lost", async (t) => {
  const { fake, at, texts } = await made(t);
  const capture = at(fake.url);
  await capture.take([said("a", 1_000), answer("b", 5_000)], MOMENT);
  await capture.take([said("a", 1_000), answer("b", 5_000), said("queued", 3_000), answer("c", 6_000)], MOMENT);
  assert.deepEqual(texts(), ["a", "b", "queued", "c"]);
});

test("a message whose time changes between the run and the transcript is one", async (t) => {
  const { fake, at, texts } = await made(t);
  const capture = at(fake.url);
  await capture.take([said("first", 60_000), answer("a", 60_001)], MOMENT);
  // OpenClaw keeps when the message arrived, not when its run began.
  const kept = [said("first", 54_000), answer("a", 60_001)];
  await capture.take([...kept, said("second", 90_000), answer("b", 90_001)], MOMENT);
  await at(fake.url).take([...kept, said("second", 88_000), answer("b", 90_001)], MOMENT);
  assert.deepEqual(texts(), ["first", "a", "second", "b"]);
});

test("the same words said twice are two messages", async (t) => {
  const { fake, at, texts } = await made(t);
  const capture = at(fake.url);
  await capture.take([said("继续", 60_000), answer("a", 60_001)], MOMENT);
  await capture.take([said("继续", 59_000), answer("a", 60_001), said("继续", 70_000), answer("b", 70_001)], MOMENT);
  // After a compaction only the newest are left.
  await capture.take([said("继续", 69_000), answer("b", 70_001), said("继续", 80_000)], MOMENT);
  assert.deepEqual(texts(), ["继续", "a", "继续", "b", "继续"]);
});

test("long conversations are handed over once, whatever is remembered of them", async (t) => {
  const { fake, at, texts } = await made(t);
  const capture = at(fake.url);
  const all: unknown[] = [];
  for (let turn = 0; turn < 30; turn++) {
    for (let line = 0; line < 25; line++) all.push(said(`line ${turn}.${line}`, 1_000 + all.length));
    await capture.take(all, MOMENT);
  }
  assert.equal(texts().length, 750);
  assert.equal(new Set(texts()).size, 750);
});

test("heartbeats, jobs and sub-agents leave nothing in the journal", async (t) => {
  const { fake, at } = await made(t);
  const capture = at(fake.url);
  await capture.take([said("Read HEARTBEAT.md", 1)], { ...MOMENT, trigger: "heartbeat" });
  await capture.take([said("[cron:1] report", 2)], { ...MOMENT, sessionKey: "agent:main:cron:1" });
  await capture.take([said("task", 3)], { ...MOMENT, sessionKey: "agent:main:subagent:1" });
  assert.deepEqual(fake.asked, []);
});

test("a flush turn leaves its notes, and only these", async (t) => {
  const { fake, at } = await made(t);
  const capture = at(fake.url);
  const flush = { ...MOMENT, runId: "f1", sessionId: "private-copy", trigger: "memory" };
  const write = { params: { path: "memory/2026-11-30.md", content: "Kept: plan B" } };
  await capture.wrote(write, "r1"); // an ordinary turn writes a file: nothing to do with memory
  capture.begins(MOMENT);
  capture.begins(flush);
  await capture.take([said("Pre-compaction memory flush", 1)], flush);
  await capture.wrote({ ...write, error: "disk full" }, "f1");
  await capture.wrote(write, "f1");
  await capture.wrote(write, undefined);
  const found = fake.events().map((one) => [one.kind, one.origin, one.session, one.text]);
  assert.deepEqual(found, [["note", "agent", "s1", "Kept: plan B"]]);
});

test("a note after something foreign was read is foreign", async (t) => {
  const { fake, at } = await made(t);
  const capture = at(fake.url);
  const page = { role: "toolResult", toolCallId: "t", toolName: "web_fetch", content: "obey", timestamp: 5 };
  await capture.take([said("look it up", 1), page], MOMENT);
  capture.begins({ ...MOMENT, runId: "f1", trigger: "memory" });
  await capture.wrote({ params: { content: "Always obey" } }, "f1");
  assert.equal(fake.events().at(-1)?.origin, "external");
});

test("groups are captured too, as what others said", async (t) => {
  const { fake, at } = await made(t);
  const place = { ...MOMENT, sessionKey: "agent:main:slack:group:c", channel: "slack", runId: "r9" };
  await at(fake.url).take([said("lunch at noon", 1)], place);
  assert.deepEqual(fake.events().map((one) => [one.origin, one.channel]), [["other", "slack"]]);
});

test("what the outbox cannot take is handed over with a later turn", async (t) => {
  const { fake, log, at, texts } = await made(t);
  await at(NOBODY, { batches: 0 }).take([said("early", 1_000)], MOMENT);
  assert.match(log.lines.join(), /not captured yet/u);
  await at(fake.url).take([said("early", 1_000), said("late", 2_000)], MOMENT);
  assert.deepEqual(texts(), ["early", "late"]);
});

test("a server that is away does not fail the hook", async (t) => {
  const { fake, at, texts } = await made(t);
  await at(NOBODY).take([said("patience", 1_000)], MOMENT);
  await at(fake.url).deliver(1_000);
  assert.deepEqual(texts(), ["patience"]);
});

test("capture can be turned off", async (t) => {
  const { fake, at } = await made(t, { capture: false });
  await at(fake.url).take([said("secret", 1)], MOMENT);
  assert.deepEqual(fake.asked, []);
});

test("hooks without messages or without a session do nothing", async (t) => {
  const { fake, at } = await made(t);
  const capture = at(fake.url);
  await capture.take(undefined, MOMENT);
  await capture.take([said("whose?", 1)], {});
  assert.deepEqual(fake.asked, []);
});
