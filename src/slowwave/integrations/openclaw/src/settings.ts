/** What the user set under plugins.entries.slowwave.config, with the defaults filled in. */

export type Mode = "slot" | "beside";

export type Settings = {
  /** Where the Slowwave server listens; no slash at the end. */
  baseUrl: string;
  token: string | undefined;
  space: string | undefined;
  /** Tokens of memory put before a turn. */
  budget: number;
  /** Milliseconds a turn waits for memory at most. */
  timeoutMs: number;
  mode: Mode;
  inject: boolean;
  capture: boolean;
  flush: boolean;
  /** Whether the owner's memory may be used where others read along. */
  groups: boolean;
};

export const DEFAULT_URL = "http://127.0.0.1:8377";
const WHERE = "plugins.entries.slowwave.config";
const LOOPBACK = new Set(["127.0.0.1", "localhost", "[::1]"]);

/**
 * The settings. Throws an Error that says what to change when the address is none: OpenClaw then
 * lists the plugin as failed, with this message, and chats go on without it.
 */
export function settingsFrom(raw: unknown, env: NodeJS.ProcessEnv = process.env): Settings {
  const given = isRecord(raw) ? raw : {};
  return {
    baseUrl: address(text(given.baseUrl) ?? DEFAULT_URL),
    token: text(given.token) ?? text(env.SLOWWAVE_TOKEN),
    space: text(given.space),
    budget: whole(given.budget, 600, 1, 100_000),
    timeoutMs: whole(given.timeoutMs, 1_500, 50, 15_000),
    mode: given.mode === "beside" ? "beside" : "slot",
    inject: given.inject !== false,
    capture: given.capture !== false,
    flush: given.flush !== false,
    groups: given.groups === true,
  };
}

/** A warning when the token would travel readable through a network; undefined when all is well. */
export function exposure(settings: Settings): string | undefined {
  const url = new URL(settings.baseUrl);
  if (url.protocol === "https:" || LOOPBACK.has(url.hostname)) return undefined;
  return (
    `${settings.baseUrl} is not on this machine and not encrypted: what is said` +
    `${settings.token ? " and the token" : ""} can be read on the way. Use https, or a tunnel.`
  );
}

function address(value: string): string {
  let url: URL;
  try {
    url = new URL(value);
  } catch {
    throw new Error(`${WHERE}.baseUrl is no address: ${value}. Write it like ${DEFAULT_URL}`);
  }
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw new Error(`${WHERE}.baseUrl must begin with http:// or https://, not ${url.protocol}`);
  }
  if (url.username || url.password) {
    throw new Error(`${WHERE}.baseUrl holds a password. Put it into ${WHERE}.token`);
  }
  return (url.origin + url.pathname).replace(/\/+$/u, "");
}

function whole(value: unknown, otherwise: number, least: number, most: number): number {
  if (typeof value !== "number" || !Number.isFinite(value)) return otherwise;
  return Math.min(most, Math.max(least, Math.round(value)));
}

/** A string with something in it, trimmed; else undefined. */
export function text(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  return value.trim() || undefined;
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
