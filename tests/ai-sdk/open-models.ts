import type { LanguageModelV4 } from "@ai-sdk/provider";
import { onTestFinished } from "vitest";
import { type CoxswainOptions, createCoxswain } from "../../src/adapters/ai-sdk/index.ts";
import { rehearsal } from "../../src/clis/rehearsal/provider.ts";
import { createClient } from "../../src/index.ts";
import { type Fleet, type FleetOptions, openFleet } from "../support/clis/open-fleet.ts";
import type { Play } from "../support/clis/plays.ts";
import { openTestScope } from "../support/test-scope.ts";
import { withCheckedParts } from "./check-parts.ts";

// The AI SDK prints warnings unless it is told not to.
globalThis.AI_SDK_LOG_WARNINGS = false;

/** A CLI `one` that plays the given starts, as a model whose streams are checked. */
export type PlayedModel = { readonly model: LanguageModelV4; readonly fleet: Fleet };

/** Opens a model of a CLI whose n-th start plays the n-th play. */
export function openPlayed(plays: readonly Play[], options: FleetOptions = {}, more: CoxswainOptions = {}): PlayedModel {
  const fleet = openFleet({ one: plays }, options);
  return { fleet, model: withCheckedParts(createCoxswain({ client: fleet.client, ...more })("one")) };
}

/** Opens a model of the rehearsal CLI whose streams are checked. */
export function openRehearsal(name: string, more: CoxswainOptions = {}): LanguageModelV4 {
  const client = createClient({ providers: [rehearsal], env: openTestScope().env });
  onTestFinished(() => client.close());
  return withCheckedParts(createCoxswain({ client, ...more })(`rehearsal/${name}`));
}

/** All values of a stream. */
export async function readAll<Value>(stream: AsyncIterable<Value>): Promise<readonly Value[]> {
  const values: Value[] = [];
  for await (const value of stream) values.push(value);
  return values;
}
