import { fileURLToPath } from "node:url";
import { describe, it } from "vitest";
import { claude } from "../../src/providers/claude.ts";
import { rehearsal } from "../../src/providers/rehearsal.ts";
import { providerContract } from "../../src/testing/index.ts";

const fixtures = fileURLToPath(new URL("../../fixtures/claude", import.meta.url));

describe("the contract of claude", () => {
  for (const { title, run } of providerContract(claude, { fixtures })) it(title, run);
});

describe("the contract of the rehearsal CLI", () => {
  for (const { title, run } of providerContract(rehearsal)) it(title, run);
});
