/**
 * Who reads along, and who spoke. Closed by default: a private memory shown to a group cannot be
 * taken back, a memory not shown can still be asked for.
 */

/**
 * private: the owner and the agent. shared: others read along. machine: nobody is there (cron,
 * heartbeat, sub-agents).
 */
export type Surface = "private" | "shared" | "machine";

/** The fields of OpenClaw's hook and tool contexts that tell where a turn happens. */
export type Place = {
  sessionKey?: string | undefined;
  trigger?: string | undefined;
  channel?: string | undefined;
  messageProvider?: string | undefined;
  inputProvenance?: { kind?: string } | undefined;
};

const MACHINE = new Set(["cron", "hook", "subagent", "heartbeat", "dreaming", "active-memory"]);
const MACHINE_PART = /^(?:dreaming-narrative-|model-run-|heartbeat|active-memory)/u;
const SHARED = new Set(["group", "channel", "room", "guild", "topic"]);
const PERSONAL = new Set(["direct", "dm", "explicit"]);
const MACHINE_TRIGGERS = new Set(["cron", "heartbeat", "memory"]);
/** Surfaces of the machine's own operator: the control page and the command line name no channel. */
const LOCAL = new Set(["", "webchat"]);

/** Where a turn happens, by its trigger and its session key; an unknown kind of key is shared. */
export function surfaceOf(place: Place): Surface {
  if (place.trigger !== undefined && MACHINE_TRIGGERS.has(place.trigger)) return "machine";
  const sender = place.inputProvenance?.kind;
  if (sender !== undefined && sender !== "external_user") return "machine";
  const parts = (place.sessionKey ?? "").trim().toLowerCase().split(":");
  if (parts.some((part) => MACHINE.has(part) || MACHINE_PART.test(part))) return "machine";
  if (parts.some((part) => SHARED.has(part))) return "shared";
  if (parts.some((part) => PERSONAL.has(part))) return "private";
  // agent:<agent>:<name> is an agent's main session, whatever the user calls it.
  const main = parts[0] === "agent" && parts.length === 3 && parts[2] !== "";
  return main || parts.join(":") === "main" ? "private" : "shared";
}

/**
 * Whether the owner's memory may be used here. `owner` is what OpenClaw said about the speaker,
 * undefined when it said nothing: then only the operator's own surfaces count as the owner's.
 */
export function mayUseMemory(place: Place, owner: boolean | undefined, groups: boolean): boolean {
  const surface = surfaceOf(place);
  if (surface === "machine" || owner === false) return false;
  if (surface === "shared") return groups && owner === true;
  return owner === true || isLocal(place);
}

function isLocal(place: Place): boolean {
  const names = [place.channel, place.messageProvider].map((name) => (name ?? "").toLowerCase());
  return names.every((name) => LOCAL.has(name));
}
