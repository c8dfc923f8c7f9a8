/**
 * Forgetting for good needs the user's word, and an agent's word is not the user's: a confirmation
 * counts only when the user has spoken again since the plan was shown.
 */

import { randomBytes } from "node:crypto";

import { put } from "./bounded.ts";

type Plan = { what: string; turn: number };

const OPEN_PLANS = 50;

export class Consent {
  readonly #plans = new Map<string, Plan>();

  /** A code for this plan, shown in this turn of the conversation. */
  ask(what: string, turn: number): string {
    const code = randomBytes(3).toString("hex");
    put(this.#plans, code, { what, turn }, OPEN_PLANS);
    return code;
  }

  /** Why this code does not confirm this plan now; undefined when it does, once. */
  refusal(code: string, what: string, turn: number): string | undefined {
    const plan = this.#plans.get(code);
    if (plan === undefined || plan.what !== what) {
      return "This confirm code belongs to no open plan for exactly this. Call without confirm first.";
    }
    if (turn <= plan.turn) {
      return "The user has not answered yet. Show them what would go, and confirm in a later turn.";
    }
    this.#plans.delete(code);
    return undefined;
  }
}
