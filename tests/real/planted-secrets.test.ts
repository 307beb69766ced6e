import { expect, it } from "vitest";
import type { CliName } from "../support/real-clis/real-cli.ts";
import { CLI_ROWS } from "../support/real-clis/rows/index.ts";
import { findPlanted, NOTHING } from "./planted-secrets.ts";

// A failure makes a CLI write the most: reports, logs, messages. The other endings are in nightly.
it.each(Object.keys(CLI_ROWS) as CliName[])("after a failure of %s its secrets are nowhere but in its own home", async (name) => {
  expect(await findPlanted(name, "failure")).toEqual(NOTHING);
});

it.each(Object.keys(CLI_ROWS) as CliName[])(
  "after a failure of an agent of %s its secrets are nowhere, but for the conversation in its own home",
  async (name) => {
    expect(await findPlanted(name, "failure", "agent")).toEqual(NOTHING);
  },
);
