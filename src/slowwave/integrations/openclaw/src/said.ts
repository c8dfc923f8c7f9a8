/** What a message really says: its text, without what memory and the machine put into it. */

import { isRecord } from "./settings.ts";

/** Elements that plugins put memory into; any tag named after memory or recall. */
const MEMORY_TAG = /<([a-z][\w.-]{0,60})\b[^<>]{0,400}>/giu;
const NAMED_AFTER_MEMORY = /memor|recall/iu;
/** Text that OpenClaw adds to a message for the model; nobody said it. */
const INTERNAL: readonly [string, string][] = [
  ["<<<BEGIN_OPENCLAW_INTERNAL_CONTEXT>>>", "<<<END_OPENCLAW_INTERNAL_CONTEXT>>>"],
];

/** The text of a message's content: a string, or the text blocks of a list. */
export function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  const texts: string[] = [];
  for (const block of content) {
    if (typeof block === "string") texts.push(block);
    else if (isRecord(block) && block.type === "text" && typeof block.text === "string") {
      texts.push(block.text);
    }
  }
  return texts.filter((part) => part.trim() !== "").join("\n\n");
}

/** A text without recalled memory and internal context: memory must not feed on itself. */
export function own(text: string): string {
  let rest = text;
  for (const [open, close] of INTERNAL) rest = without(rest, open, close);
  return withoutMemory(rest).trim();
}

function without(text: string, open: string, close: string): string {
  const kept: string[] = [];
  let at = 0;
  for (;;) {
    const start = text.indexOf(open, at);
    const end = start < 0 ? -1 : text.indexOf(close, start + open.length);
    if (end < 0) return [...kept, text.slice(at)].join("");
    kept.push(text.slice(at, start));
    at = end + close.length;
  }
}

function withoutMemory(text: string): string {
  const kept: string[] = [];
  const unclosed = new Set<string>();
  let at = 0;
  MEMORY_TAG.lastIndex = 0;
  for (let match = MEMORY_TAG.exec(text); match !== null; match = MEMORY_TAG.exec(text)) {
    const name = match[1] ?? "";
    if (!NAMED_AFTER_MEMORY.test(name)) continue;
    const close = `</${name}>`;
    const end = unclosed.has(close) ? -1 : text.indexOf(close, MEMORY_TAG.lastIndex);
    if (end < 0) {
      unclosed.add(close); // looked for once: many open tags must not cost many scans
      continue;
    }
    kept.push(text.slice(at, match.index));
    at = end + close.length;
    MEMORY_TAG.lastIndex = at;
  }
  return at === 0 ? text : [...kept, text.slice(at)].join("");
}

/** At most `limit` code points, with an ellipsis where something was cut off. */
export function cut(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const points = [...text.slice(0, 2 * limit + 2)]; // a character may take two units
  return points.length <= limit ? text : `${points.slice(0, limit - 1).join("")}…`;
}
