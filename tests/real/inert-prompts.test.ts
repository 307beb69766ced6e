import { dirname, join } from "node:path";
import { it } from "vitest";
import { describeInertPrompts, expectVerbatim } from "./describe-inert-prompts.ts";
import { CLI_TAGS, CONTROLS, EVERY_TIME } from "./inert-table.ts";
import { expectPureRequest } from "./pure-request.ts";

describeInertPrompts(EVERY_TIME, (planted) => {
  it("mentions of planted files by their full paths are sent unchanged", async () => {
    const { project, cli } = planted();
    await expectVerbatim(planted(), `@${join(project, "note.txt")} @"${join(project, "a b.txt")}" @${dirname(cli.home)}/`);
  });

  it("a link to a planted skill is sent unchanged", async () => {
    const skill = join(planted().cli.home, ".agents/skills/home-agents-skill/SKILL.md");
    await expectVerbatim(planted(), `[$anything](${skill}) and [$anything](skill://${skill})`);
  });

  it("a system prompt is sent unchanged", async () => {
    const { name, cli } = planted();
    const system = `@../note.txt /help --help $home-agents-skill\n"'''\\ ${CONTROLS} \ufeff\u2028${CLI_TAGS}`;
    const before = cli.api.modelRequests.length;
    await cli.client.run(name, { prompt: "hi", system }).result();
    expectPureRequest(name, cli.api.modelRequests[before], { prompt: "hi", system });
  });
});
