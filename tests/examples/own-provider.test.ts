import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parrot, ruledParrot } from "../../examples/own-provider/parrot.ts";
import { readConfigFile } from "../../src/provider.ts";
import { providerContract } from "../../src/testing/index.ts";
import { cox } from "../support/cox/start-cox.ts";
import { startScript } from "../support/cox/start-program.ts";

const FOLDER = join(import.meta.dirname, "../../examples/own-provider");
const CONFIG = join(FOLDER, "coxswain.config.json");

describe("the example of docs/add-a-provider.md", () => {
  for (const check of providerContract(parrot, { fixtures: join(FOLDER, "fixtures") })) it(check.title, check.run);

  it("answers, and reports its failure with a code of Coxswain", async () => {
    const ask = (...words: readonly string[]) => startScript("examples/own-provider/ask.ts", words).ended;
    expect(await ask("Polly", "wants", "a", "cracker")).toMatchObject({
      stdout: "Polly wants a cracker\n",
      stderr: "",
      exitCode: 0,
    });
    expect((await ask("POLLY")).stdout).toBe("parrot-cli: that was too loud, try again in 5 minutes Speak softly.\n");
  });

  it("works by rules alone", () => {
    for (const check of providerContract(ruledParrot)) check.run();
  });

  it("works as an entry of a configuration file", async () => {
    expect(readConfigFile(CONFIG).mistakes).toEqual([]);
    const asked = await cox(["ask", "--config", CONFIG, "--provider", "parrot", "--json", "Polly wants"]);
    expect(JSON.parse(asked.stdout)).toMatchObject({
      text: "Polly wants",
      usage: { inputTokens: 2, outputTokens: 2, estimated: false },
    });
    const loud = await cox(["ask", "--config", CONFIG, "--provider", "parrot", "POLLY"]);
    expect(loud).toMatchObject({ exitCode: 5, stderr: expect.stringContaining("Speak softly.") });
    expect((await cox(["doctor", "--config", CONFIG, "parrot"])).stdout).toMatch(/\nparrot +\? login unknown +1\.0\.0 +unknown /);
  });
});
