import assert from "node:assert/strict";
import test from "node:test";

import { dayOf, flushPlan } from "../src/flush.ts";
import { guidance } from "../src/guidance.ts";

const NOW = Date.UTC(2026, 10, 29, 16, 30); // half past midnight in Shanghai

function config(memoryFlush: object, userTimezone?: string): object {
  return { agents: { defaults: { compaction: { memoryFlush }, ...(userTimezone ? { userTimezone } : {}) } } };
}

test("within 4,000 tokens of the reserve, or at 2 MB", () => {
  const plan = flushPlan({ nowMs: NOW, contextWindowTokens: 200_000 });
  assert.deepEqual(
    [plan?.softThresholdTokens, plan?.reserveTokensFloor, plan?.forceFlushTranscriptBytes],
    [4_000, 20_000, 2_097_152],
  );
});

test("small windows keep a quarter in reserve and half of the rest", () => {
  const plan = flushPlan({ nowMs: NOW, contextWindowTokens: 8_000 });
  assert.deepEqual([plan?.reserveTokensFloor, plan?.softThresholdTokens], [2_000, 3_000]);
});

test("today's note is the user's today, and the only file", () => {
  const plan = flushPlan({ cfg: config({}, "Asia/Shanghai"), nowMs: NOW });
  assert.equal(plan?.relativePath, "memory/2026-11-30.md");
  assert.ok(plan?.prompt.includes("memory/2026-11-30.md") && plan.prompt.includes("NO_REPLY"));
  assert.equal(dayOf(NOW, "America/Lima"), "2026-11-29");
  assert.match(dayOf(NOW, "Nowhere/Land"), /^2026-11-\d\d$/u);
});

test("OpenClaw's own settings of the flush are kept", () => {
  assert.equal(flushPlan({ cfg: config({ enabled: false }) }), null);
  const given = { softThresholdTokens: 1_000, forceFlushTranscriptBytes: "1.5mb", model: "ollama/small" };
  const plan = flushPlan({ cfg: config(given), contextWindowTokens: 100_000 });
  assert.deepEqual(
    [plan?.softThresholdTokens, plan?.forceFlushTranscriptBytes, plan?.model],
    [1_000, 1_572_864, "ollama/small"],
  );
  assert.equal(flushPlan({ cfg: config({ forceFlushTranscriptBytes: "many" }) })?.forceFlushTranscriptBytes, 2_097_152);
});

test("odd configs give the usual plan", () => {
  for (const cfg of [undefined, null, 7, [], { agents: [] }, { agents: { defaults: null } }]) {
    assert.equal(flushPlan({ cfg, nowMs: NOW })?.softThresholdTokens, 4_000);
  }
});

test("the agent is told only about tools that it has, in few words", () => {
  assert.deepEqual(guidance(new Set(["read"])), []);
  const all = guidance(new Set(["memory_search", "memory_get", "memory_remember", "memory_forget"])).join("\n");
  assert.ok(all.length < 1_000);
  assert.ok(!guidance(new Set(["memory_search"])).join("\n").includes("memory_forget"));
});
