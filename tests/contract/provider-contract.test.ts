import { fileURLToPath } from "node:url";
import { describe, it } from "vitest";
import { claude } from "../../src/providers/claude.ts";
import { codex } from "../../src/providers/codex.ts";
import { rehearsal } from "../../src/providers/rehearsal.ts";
import { providerContract } from "../../src/testing/index.ts";

for (const provider of [claude, codex]) {
  const fixtures = fileURLToPath(new URL(`../../fixtures/${provider.id}`, import.meta.url));
  describe(`the contract of ${provider.label}`, () => {
    for (const { title, run } of providerContract(provider, { fixtures })) it(title, run);
  });
}

describe("the contract of the rehearsal CLI", () => {
  for (const { title, run } of providerContract(rehearsal)) it(title, run);
});
