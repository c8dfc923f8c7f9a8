import assert from "node:assert/strict";
import test from "node:test";

import { cut, own } from "../src/said.ts";
import { noteOf, saidIn, type Scene } from "../src/turn.ts";

const HOME: Scene = { session: "s1", sessionKey: "agent:main:main", agent: "main", owner: true };
const GROUP: Scene = { ...HOME, sessionKey: "agent:main:slack:group:c1", channel: "slack" };

const user = (text: string, marks?: object, timestamp = 1_796_000_000_000) => ({
  role: "user", content: [{ type: "text", text }], timestamp, ...(marks ? { __openclaw: marks } : {}),
});
const assistant = (content: unknown, marks?: object, timestamp = 1_796_000_001_000) => ({
  role: "assistant", content, timestamp, ...(marks ? { __openclaw: marks } : {}),
});
const events = (messages: unknown[], scene = HOME) => saidIn(messages, scene).flatMap((one) => one.events);

test("a turn becomes events with the time, session and agent they had", () => {
  const [said, answered] = events([
    user("Mira moves to Porto in May"), assistant([{ type: "text", text: "Noted." }]),
  ]);
  assert.equal(said?.text, "Mira moves to Porto in May");
  assert.deepEqual(
    [said?.role, said?.origin, said?.kind, said?.session, said?.agent, said?.ts],
    ["user", "owner", "message", "s1", "main", "2026-11-30T00:53:20.000Z"],
  );
  assert.deepEqual([answered?.role, answered?.origin], ["assistant", "agent"]);
});

test("the same message has the same ref, also as a transcript entry", () => {
  const [first] = events([user("tea, please")]);
  const [again] = events([{ type: "message", id: "a1", message: { ...user("x"), content: "tea, please" } }]);
  const [other] = events([user("tea, please", undefined, 1_796_000_000_001)]);
  assert.equal(again?.ref, first?.ref);
  assert.notEqual(other?.ref, first?.ref);
});

test("replies that share a moment are two", () => {
  const refs = events([
    assistant([{ type: "text", text: "one" }]), assistant([{ type: "text", text: "two" }]),
  ]).map((one) => one.ref);
  assert.equal(new Set(refs).size, 2);
});

test("who spoke: what OpenClaw marked decides; unmarked is the owner's only at home", () => {
  const origin = (message: unknown, scene: Scene) => events([message], scene)[0]?.origin;
  assert.equal(origin(user("x", { senderIsOwner: true }), GROUP), "owner");
  assert.equal(origin(user("x", { senderIsOwner: false }), HOME), "other");
  assert.equal(origin(user("x"), GROUP), "other");
  assert.equal(origin(user("x"), { ...HOME, owner: undefined }), "other");
  assert.equal(origin({ ...user("x"), provenance: { kind: "inter_session" } }, HOME), "system");
});

test("others keep their names, the owner needs none", () => {
  const [other] = events([user("hi", { senderIsOwner: false, senderName: "Ola", senderId: "77" })], GROUP);
  const [owner] = events([user("hi", { senderIsOwner: true, senderName: "Me" })], GROUP);
  assert.deepEqual([other?.speaker, other?.channel, owner?.speaker], ["Ola", "slack", undefined]);
});

test("what memory put into a message is not said again", () => {
  const block = '<slowwave-memory retrieved="2026-11-30" trust="untrusted">\nold\n</slowwave-memory>';
  assert.equal(own(`${block}\n\nwhat now?`), "what now?");
  assert.equal(own("<active_memory_plugin>a</active_memory_plugin>b<relevant-memories>c</relevant-memories>"), "b");
  assert.equal(own("<<<BEGIN_OPENCLAW_INTERNAL_CONTEXT>>>x<<<END_OPENCLAW_INTERNAL_CONTEXT>>>"), "");
  assert.deepEqual(events([user(block)]), []);
  assert.deepEqual(events([user("(session bootstrap)")]), []);
});

test("tags that are not memory stay, also unclosed ones", () => {
  assert.equal(own("use <b>bold</b> and <memory"), "use <b>bold</b> and <memory");
  assert.equal(own("<memory> was the title"), "<memory> was the title");
});

test("many open tags are read in reasonable time", () => {
  assert.equal(own("<memory>".repeat(50_000)).length, 400_000);
});

test("tool calls and results are kept short and told apart; memory's own are left out", () => {
  const found = events([
    assistant([
      { type: "toolCall", id: "t1", name: "exec", arguments: { command: "ls" } },
      { type: "toolCall", id: "t2", name: "memory_search", arguments: { query: "x" } },
    ]),
    { role: "toolResult", toolCallId: "t1", toolName: "exec", content: "x".repeat(9_000), timestamp: 5 },
    { role: "toolResult", toolCallId: "t2", toolName: "memory_search", content: "old news", timestamp: 5 },
    { role: "toolResult", toolCallId: "t3", toolName: "web_fetch", content: "page", timestamp: 5 },
  ]);
  assert.deepEqual(found.map((one) => [one.kind, one.origin, one.text.length <= 4_000]), [
    ["tool_call", "tool", true], ["tool_result", "tool", true], ["tool_result", "external", true],
  ]);
});

test("after a look into the network the agent's words are no longer its own", () => {
  const [tainted] = events([assistant([{ type: "text", text: "They say…" }], { turnTainted: true })]);
  assert.equal(tainted?.origin, "external");
});

test("silence, summaries and strange entries say nothing", () => {
  const strange = [null, 7, "text", [], {}, { role: "compactionSummary", summary: "…" }, { role: "user" }];
  assert.deepEqual(events([...strange, assistant([{ type: "text", text: "NO_REPLY" }])]), []);
});

test("a note says as much as its words, and is trusted as told", () => {
  const note = noteOf("- Plan B won", true, HOME, 1_796_000_000_000);
  assert.deepEqual([note?.kind, note?.role, note?.origin, note?.text], ["note", "assistant", "agent", "- Plan B won"]);
  assert.equal(noteOf("- Plan B won", false, HOME, 0)?.origin, "external");
  for (const nothing of [undefined, 7, "", "  ", "<memory>old</memory>"]) {
    assert.equal(noteOf(nothing, true, HOME, 0), undefined);
  }
});

test("cutting counts characters, not their halves", () => {
  assert.equal(cut("龙井茶", 3), "龙井茶");
  assert.equal(cut("🍵🍵🍵🍵", 3), "🍵🍵…");
});
