/** Slowwave as OpenClaw's memory. This file only connects; each part explains itself. */

import { join } from "node:path";

import { definePluginEntry, type OpenClawPluginApi } from "openclaw/plugin-sdk/plugin-entry";

import { supplement } from "./src/beside.ts";
import { Capture } from "./src/capture.ts";
import { Cursors } from "./src/cursors.ts";
import { flushPlan } from "./src/flush.ts";
import { guidance } from "./src/guidance.ts";
import { Injection } from "./src/inject.ts";
import { Outbox } from "./src/outbox.ts";
import { Slowwave } from "./src/server.ts";
import { exposure, isRecord, settingsFrom, type Settings } from "./src/settings.ts";
import { shared } from "./src/shared.ts";
import { statusOf, statusText, type Status } from "./src/status.ts";
import { toolFactories } from "./src/tools.ts";

/** The nightly job of memory-core, which stays in the schedule when memory-core no longer runs. */
const LEFT_OVER_JOB = "__openclaw_memory_core_short_term_promotion_dream__";
/** OpenClaw waits two seconds in all for everything that ends with it. */
const LAST_DELIVERY_MS = 1_200;

export default definePluginEntry({
  id: "slowwave",
  name: "Slowwave",
  description: "A memory that sleeps: logged, dreamed over at night, recalled when it matters.",
  register(api) {
    const settings = settingsFrom(api.pluginConfig);
    let made: Made | undefined;
    // Made when first needed: to list commands OpenClaw registers plugins without a runtime.
    const parts = () => (made ??= make(api, settings));
    registerStatus(api, parts);
    if (api.registrationMode === "cli-metadata") return;
    const warning = exposure(settings);
    if (warning && api.registrationMode === "full") api.logger.warn(`slowwave: ${warning}`);
    registerMemory(api, parts());
    registerHooks(api, parts());
  },
});

type Made = ReturnType<typeof make>;

function make(api: OpenClawPluginApi, settings: Settings) {
  const directory = join(api.runtime.state.resolveStateDir(), "slowwave");
  const log = api.logger;
  const server = new Slowwave(settings);
  const outbox = new Outbox(directory, (batch) => server.log(batch.events, batch.space), log);
  const { speakers, consent } = shared();
  const capture = new Capture({ settings, outbox, cursors: new Cursors(directory), speakers, log });
  const injection = new Injection(server, speakers, log);
  return { settings, directory, server, outbox, speakers, consent, capture, injection };
}

function registerMemory(api: OpenClawPluginApi, made: Made): void {
  const { settings, server, speakers } = made;
  const tools = toolFactories(made);
  const names = settings.mode === "slot"
    ? (["memory_search", "memory_get", "memory_remember", "memory_forget"] as const)
    : (["memory_remember", "memory_forget"] as const);
  for (const name of names) api.registerTool((context) => tools[name](context), { names: [name] });
  if (settings.mode === "beside") {
    api.registerMemoryCorpusSupplement(supplement(server, speakers, api.logger));
    api.registerMemoryPromptSupplement(({ availableTools }) => guidance(withoutOthers(availableTools)));
    return;
  }
  api.registerMemoryCapability({
    promptBuilder: ({ availableTools }) => guidance(availableTools),
    flushPlanResolver: (question) => (settings.flush ? flushPlan(question) : null),
  });
}

/** Beside memory-core its own lines explain search and get. */
function withoutOthers(available: ReadonlySet<string>): Set<string> {
  return new Set([...available].filter((name) => name === "memory_remember" || name === "memory_forget"));
}

function registerHooks(api: OpenClawPluginApi, made: Made): void {
  const { settings, capture, injection, outbox } = made;
  api.on(
    "before_prompt_build",
    async (event, context) => {
      capture.begins(context);
      const block = await injection.before(event, context);
      // At the end of the system prompt: what stands before it stays cached.
      return block === undefined ? undefined : { appendSystemContext: block };
    },
    { timeoutMs: settings.timeoutMs + 1_000 },
  );
  api.on("agent_end", (event, context) => capture.take(event.messages, context));
  api.on("before_compaction", (event, context) => capture.take(event.messages, context));
  api.on("before_reset", (event, context) => capture.take(event.messages, context));
  api.on("after_tool_call", (event, context) => capture.wrote(event, context.runId ?? event.runId), {
    matcher: ["write"],
  });
  api.on("session_end", () => capture.deliver(LAST_DELIVERY_MS));
  if (settings.mode === "slot") {
    api.on(
      "before_agent_reply",
      (event) => {
        if (!event.cleanedBody.includes(LEFT_OVER_JOB)) return undefined;
        return { handled: true, reason: "slowwave dreams by itself; OpenClaw's own dreaming is off" };
      },
      { eligibleTriggers: ["cron", "heartbeat"] },
    );
  }
  api.registerService({
    id: "slowwave-outbox",
    start: () => void outbox.drain(true), // what a stopped process left behind
    stop: async () => {
      await capture.deliver(LAST_DELIVERY_MS);
      outbox.stop();
    },
  });
}

function registerStatus(api: OpenClawPluginApi, parts: () => Made): void {
  const status = async () => {
    const { server, outbox, directory, injection } = parts();
    const hooks = hooksAllowed(api.config);
    return await statusOf({ server, outbox, directory, hooks, lastError: injection.lastError });
  };
  api.registerCommand({
    name: "slowwave",
    description: "What the memory is doing: server, waiting turns, last error",
    handler: async () => ({ text: statusText(await status()) }),
  });
  const description = "The Slowwave memory of this OpenClaw";
  api.registerCli(
    ({ program }) => addCommands(program.command("slowwave").description(description), parts, status),
    { descriptors: [{ name: "slowwave", description, hasSubcommands: true }] },
  );
}

type Cli = Parameters<Parameters<OpenClawPluginApi["registerCli"]>[0]>[0]["program"];

function addCommands(command: Cli, parts: () => Made, status: () => Promise<Status>): void {
  command
    .command("status")
    .description("Server, waiting turns, last error")
    .option("--json", "One JSON value on stdout")
    .action(async (options: { json?: boolean }) => {
      const found = await status();
      console.log(options.json ? JSON.stringify(found) : statusText(found));
      if (!found.reachable) process.exitCode = 1;
    });
  command
    .command("deliver")
    .description("Deliver what waits on disk now")
    .action(async () => {
      await parts().outbox.drain(true);
      parts().outbox.stop();
      const found = await status();
      console.log(statusText(found));
      if (found.waiting > 0) process.exitCode = 1;
    });
}

/** Whether the config lets this plugin see conversations. */
function hooksAllowed(config: unknown): boolean | undefined {
  const plugins = isRecord(config) && isRecord(config.plugins) ? config.plugins : {};
  const entries = isRecord(plugins.entries) ? plugins.entries : {};
  const entry = isRecord(entries.slowwave) ? entries.slowwave : {};
  return isRecord(entry.hooks) && entry.hooks.allowConversationAccess === true;
}
