import { fileURLToPath } from "node:url";
import { describe, it } from "vitest";
import { rehearsal } from "../../src/clis/rehearsal/provider.ts";
import { providerContract } from "../../src/testing/index.ts";
import { recordedClis } from "../support/recordings/recorded-clis.ts";

for (const { cli, provider } of recordedClis) {
  const fixtures = fileURLToPath(new URL(`../../fixtures/${cli}`, import.meta.url));
  describe(`the contract of ${provider.label}`, () => {
    for (const { title, run } of providerContract(provider, { fixtures })) it(title, run);
  });
}

describe("the contract of the rehearsal CLI", () => {
  for (const { title, run } of providerContract(rehearsal)) it(title, run);
});
