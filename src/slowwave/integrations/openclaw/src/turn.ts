/** OpenClaw's messages of a turn → events of the journal, known again by mark and ref. */

import { createHash } from "node:crypto";

import { surfaceOf, type Place } from "./audience.ts";
import { cut, own, textOf } from "./said.ts";
import type { LoggedEvent } from "./server.ts";
import { isRecord, text } from "./settings.ts";

/** Where and by whom a turn was spoken. */
export type Scene = Place & {
  session: string;
  agent?: string | undefined;
  /** Whether the speaker is the owner, where the message itself does not say so. */
  owner: boolean | undefined;
};

/** A message with the mark by which it is known again. */
export type Said = {
  mark: string;
  /** Milliseconds; 0 when unknown. */
  at: number;
  /**
   * Whether its time may change: a run stamps the user's message when it begins, the transcript
   * keeps when it arrived, which is earlier. Then the mark is of the words alone.
   */
  moves: boolean;
  events: LoggedEvent[];
};

/** Longest text of a tool call or result that is kept; the rest seldom matters. */
const TOOL_TEXT = 4_000;
/** What OpenClaw puts first where a model wants a user to begin; nobody said it. */
const FILLER = "(session bootstrap)";
const MEMORY_TOOL = /memor|recall|slowwave|wiki_|sessions_(?:search|history)/iu;
const NETWORK_TOOL = /web|fetch|brows|http|crawl|scrape|url/iu;

type Message = Record<string, unknown>;
type Piece = Pick<LoggedEvent, "role" | "kind" | "origin" | "text"> & { speaker?: string };

/** What was said, message by message; bookkeeping and what memory itself put there is left out. */
export function saidIn(messages: readonly unknown[], scene: Scene): Said[] {
  const found: Said[] = [];
  for (const entry of messages) {
    // Transcripts wrap a message into an entry; hooks give it bare.
    const message = isRecord(entry) && isRecord(entry.message) ? entry.message : entry;
    if (!isRecord(message)) continue;
    const pieces = piecesOf(message, scene);
    const at = typeof message.timestamp === "number" ? message.timestamp : 0;
    const moves = message.role === "user";
    const mark = moves ? digest("user", pieces[0]?.text ?? "") : markOf(message, at);
    const ref = moves ? digest(mark, String(at)) : mark;
    const events = pieces.map((piece, part) => eventOf(piece, part, ref, at, scene));
    if (events.length > 0) found.push({ mark, at, moves, events });
  }
  return found;
}

/** What a flush turn wrote down, as a note; undefined when it wrote nothing that says something. */
export function noteOf(content: unknown, trusted: boolean, scene: Scene, at: number): LoggedEvent | undefined {
  const words = own(text(content) ?? "");
  if (!words) return undefined;
  // A note is only as good as what the agent had read (2d).
  const origin = trusted ? "agent" : "external";
  const piece: Piece = { role: "assistant", kind: "note", origin, text: words };
  return eventOf(piece, 0, digest("note", words), at, scene);
}

function piecesOf(message: Message, scene: Scene): Piece[] {
  if (message.role === "user") return fromUser(message, scene);
  if (message.role === "assistant") return fromAssistant(message);
  if (message.role === "toolResult") return fromTool(message);
  return []; // compaction summaries, custom entries: nothing that was said
}

function fromUser(message: Message, scene: Scene): Piece[] {
  const words = own(textOf(message.content));
  if (!words || words === FILLER) return [];
  const origin = originOf(message, scene);
  const speaker = origin === "other" ? nameOf(message) : undefined;
  const role = origin === "system" ? "system" : "user";
  return [{ role, kind: "message", origin, text: words, ...(speaker ? { speaker } : {}) }];
}

/** Owner only when OpenClaw says so (2b): what is not marked is somebody else's. */
function originOf(message: Message, scene: Scene): "owner" | "other" | "system" {
  const provenance = isRecord(message.provenance) ? message.provenance.kind : undefined;
  if (provenance === "internal_system" || provenance === "inter_session") return "system";
  const marked = marksOf(message).senderIsOwner;
  if (typeof marked === "boolean") return marked ? "owner" : "other";
  // Unmarked messages are this run's own only where nobody else could have spoken.
  return scene.owner === true && surfaceOf(scene) === "private" ? "owner" : "other";
}

function nameOf(message: Message): string | undefined {
  const marks = marksOf(message);
  return text(marks.senderName) ?? text(marks.senderUsername) ?? text(marks.senderId);
}

function fromAssistant(message: Message): Piece[] {
  const pieces: Piece[] = [];
  const words = own(textOf(message.content));
  // After a look into the network the rest of the turn is no longer the agent's own words.
  const origin = isTainted(message) ? "external" : "agent";
  if (words && !isSilence(words)) {
    pieces.push({ role: "assistant", kind: "message", origin, text: words });
  }
  for (const call of callsOf(message)) {
    if (MEMORY_TOOL.test(call.name)) continue;
    const said = cut(`${call.name} ${JSON.stringify(call.input ?? {})}`, TOOL_TEXT);
    pieces.push({ role: "assistant", kind: "tool_call", origin: "tool", text: said });
  }
  return pieces;
}

function fromTool(message: Message): Piece[] {
  const name = text(message.toolName) ?? "";
  const words = cut(own(textOf(message.content)), TOOL_TEXT);
  if (!words || MEMORY_TOOL.test(name)) return []; // recalled, not new
  const origin = NETWORK_TOOL.test(name) ? "external" : "tool";
  return [{ role: "tool", kind: "tool_result", origin, text: words }];
}

function callsOf(message: Message): { name: string; input: unknown }[] {
  if (!Array.isArray(message.content)) return [];
  return message.content
    .filter((block) => isRecord(block) && (block.type === "toolCall" || block.type === "tool_use"))
    .map((block: Message) => ({
      name: text(block.name) ?? "tool", input: block.arguments ?? block.input,
    }));
}

function marksOf(message: Message): Message {
  return isRecord(message.__openclaw) ? message.__openclaw : {};
}

function isTainted(message: Message): boolean {
  return marksOf(message).turnTainted === true;
}

function isSilence(words: string): boolean {
  return /^(?:NO_REPLY|HEARTBEAT_OK|ANNOUNCE_SKIP|REPLY_SKIP)\b/u.test(words);
}

function eventOf(piece: Piece, part: number, ref: string, at: number, scene: Scene): LoggedEvent {
  const channel = text(scene.channel) ?? text(scene.messageProvider);
  return {
    ref: `openclaw:${scene.session}:${ref}${part ? `:${part}` : ""}`,
    ...(at > 0 ? { ts: new Date(at).toISOString() } : {}),
    ...piece,
    session: scene.session,
    ...(channel ? { channel } : {}),
    client: "openclaw",
    ...(scene.agent ? { agent: scene.agent } : {}),
  };
}

/** By role, time and what makes it one: replies and results can share a moment. */
function markOf(message: Message, at: number): string {
  const one = text(message.toolCallId) ?? textOf(message.content);
  return digest(String(message.role), String(at), one);
}

function digest(...parts: string[]): string {
  return createHash("sha256").update(parts.join("\n")).digest("hex").slice(0, 16);
}
