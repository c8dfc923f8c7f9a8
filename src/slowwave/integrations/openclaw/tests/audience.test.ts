import assert from "node:assert/strict";
import test from "node:test";

import { mayUseMemory, surfaceOf, type Place } from "../src/audience.ts";
import { Speakers } from "../src/shared.ts";

const cases: [Place, "private" | "shared" | "machine"][] = [
  [{ sessionKey: "agent:main:main", trigger: "user" }, "private"],
  [{ sessionKey: "agent:ops:work-desk" }, "private"],
  [{ sessionKey: "main" }, "private"],
  [{ sessionKey: "agent:main:telegram:direct:4711" }, "private"],
  [{ sessionKey: "agent:main:telegram:home:dm:4711:thread:9" }, "private"],
  [{ sessionKey: "agent:main:explicit:scratch" }, "private"],
  [{ sessionKey: "agent:main:telegram:group:-100200" }, "shared"],
  [{ sessionKey: "agent:main:discord:channel:77:thread:8" }, "shared"],
  [{ sessionKey: "agent:main:telegram:group:-1:topic:5" }, "shared"],
  [{ sessionKey: "agent:main:newkind:42" }, "shared"],
  [{ sessionKey: "" }, "shared"],
  [{}, "shared"],
  [{ sessionKey: "agent:main:main", trigger: "heartbeat" }, "machine"],
  [{ sessionKey: "agent:main:main", trigger: "cron" }, "machine"],
  [{ sessionKey: "agent:main:main", trigger: "memory" }, "machine"],
  [{ sessionKey: "agent:main:subagent:7f" }, "machine"],
  [{ sessionKey: "agent:main:cron:daily:run:1" }, "machine"],
  [{ sessionKey: "agent:main:dreaming-narrative-rem-3" }, "machine"],
  [{ sessionKey: "agent:main:main", inputProvenance: { kind: "inter_session" } }, "machine"],
  [{ sessionKey: "agent:main:main", inputProvenance: { kind: "external_user" } }, "private"],
];
for (const [place, surface] of cases) {
  test(`${JSON.stringify(place)} is ${surface}`, () => assert.equal(surfaceOf(place), surface));
}

test("memory is for the owner in private, and closed in doubt", () => {
  const direct = { sessionKey: "agent:main:telegram:direct:1", channel: "telegram" };
  assert.equal(mayUseMemory(direct, true, false), true);
  assert.equal(mayUseMemory(direct, false, false), false);
  assert.equal(mayUseMemory(direct, undefined, false), false);
  // The operator's own surfaces: command line and control page.
  assert.equal(mayUseMemory({ sessionKey: "agent:main:main" }, undefined, false), true);
  assert.equal(mayUseMemory({ sessionKey: "agent:main:main", messageProvider: "webchat" }, undefined, false), true);
  assert.equal(mayUseMemory({ sessionKey: "agent:main:main", channel: "slack" }, undefined, false), false);
});

test("in groups only when the user wants it, and only for the owner", () => {
  const group = { sessionKey: "agent:main:telegram:group:9", channel: "telegram" };
  assert.equal(mayUseMemory(group, true, false), false);
  assert.equal(mayUseMemory(group, true, true), true);
  assert.equal(mayUseMemory(group, undefined, true), false);
  assert.equal(mayUseMemory(group, false, true), false);
});

const KEY = "agent:main:main";

test("what the tools are told speaks for one turn, and for its retries", () => {
  const speakers = new Speakers();
  speakers.note(KEY, true);
  assert.equal(speakers.begin("r1", { sessionKey: KEY }), true);
  assert.equal(speakers.begin("r1", { sessionKey: KEY }), true);
  assert.equal(speakers.begin("r2", { sessionKey: KEY }), undefined);
  assert.equal(speakers.of("r1", KEY), true);
});

test("two notes that disagree are nobody's", () => {
  const speakers = new Speakers();
  speakers.note(KEY, false);
  speakers.note(KEY, true);
  assert.equal(speakers.begin("r1", { sessionKey: KEY }), false);
});

test("a note from long ago does not speak", () => {
  const speakers = new Speakers();
  speakers.note(KEY, true, 0);
  assert.equal(speakers.begin("r1", { sessionKey: KEY }, 10 * 60_000), undefined);
});

test("a heartbeat is no turn of the user", () => {
  const speakers = new Speakers();
  speakers.begin("r1", { sessionKey: KEY, trigger: "user" });
  const turn = speakers.turnOf(KEY);
  speakers.begin("r2", { sessionKey: KEY, trigger: "heartbeat" });
  assert.equal(speakers.turnOf(KEY), turn);
  speakers.begin("r3", { sessionKey: KEY, trigger: "user" });
  assert.notEqual(speakers.turnOf(KEY), turn);
});

test("what is remembered about sessions stays bounded", () => {
  const speakers = new Speakers();
  for (let count = 0; count < 5_000; count++) {
    speakers.begin(`r${count}`, { sessionKey: `agent:main:direct:${count}`, sessionId: `s${count}` });
  }
  assert.equal(speakers.turnOf("agent:main:direct:0"), undefined);
  assert.equal(speakers.sessionOf({ sessionKey: "agent:main:direct:4999" }), "s4999");
});
