import { describe, expect, it } from "vitest";
import type { CliName } from "../../support/real-clis/real-cli.ts";
import { CLI_ROWS } from "../../support/real-clis/rows/index.ts";
import { WARM_CLIS } from "../open-warm.ts";
import { findPlanted, NOTHING, type PlantedEnding } from "../planted-secrets.ts";

const OTHERS: readonly PlantedEnding[] = ["success", "abort", "kill"];

describe.each(Object.keys(CLI_ROWS) as CliName[])("the secrets of %s", (name) => {
  it.each(OTHERS)("are nowhere but in its own home after %s", async (ending) => {
    expect(await findPlanted(name, ending)).toEqual(NOTHING);
  });

  it.each(OTHERS)("are nowhere after %s of an agent, but for the conversation in its own home", async (ending) => {
    expect(await findPlanted(name, ending, "agent")).toEqual(NOTHING);
  });
});

describe.each(WARM_CLIS)("the secrets of a warm process of %s", (name) => {
  it.each(["failure", ...OTHERS] as const)("are nowhere but in its own home after %s", async (ending) => {
    expect(await findPlanted(name, ending, "warm")).toEqual(NOTHING);
  });
});
