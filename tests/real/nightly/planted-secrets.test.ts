import { describe, expect, it } from "vitest";
import { CLI_ROWS } from "../clis/index.ts";
import { findPlanted, NOTHING } from "../planted-secrets.ts";
import type { CliName } from "../real-cli.ts";

describe.each(Object.keys(CLI_ROWS) as CliName[])("the secrets of %s", (name) => {
  it.each(["success", "abort", "kill"] as const)("are nowhere but in its own home after %s", async (ending) => {
    expect(await findPlanted(name, ending)).toEqual(NOTHING);
  });
});
