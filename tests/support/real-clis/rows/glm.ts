import { glm as provider } from "../../../../src/clis/glm/provider.ts";
import { type Provider, withSpawn } from "../../../../src/spec/provider/provider.ts";
import { claude } from "./claude.ts";
import type { MatrixRow } from "./matrix-row.ts";

/** GLM: Claude Code, pointed at z.ai. */
export const glm: MatrixRow = {
  ...claude,
  name: "glm",
  providerAt: glmAt,
  env: (place) => {
    const { ANTHROPIC_BASE_URL: _url, ANTHROPIC_API_KEY: _key, ...rest } = claude.env(place);
    return { ...rest, ZAI_API_KEY: "fake-key-of-the-suite" };
  },
  key: "ZAI_API_KEY",
  target: "glm",
  shellName: "Bash",
  pure: {
    bytes: 1_200,
    system: (given) => [
      /^x-anthropic-billing-header: cc_version=[\w.]+; cc_entrypoint=sdk-cli;/,
      "You are a Claude agent, built on Anthropic's Claude Agent SDK.",
      ...(given === undefined ? [] : [given]),
    ],
    heeds: ["SECRET-OF-PROJECT-CLAUDE-MD", "SECRET-OF-USER-CLAUDE-MD"],
  },
  refusedPrompts: {},
  retriedErrors: {},
};

/** The endpoint is part of the launch, so that a key of z.ai is sent to no other service. */
function glmAt(url: string): Provider {
  const { launch } = provider.transports.spawn;
  return withSpawn(provider, {
    launch(request, options) {
      const { tempFiles = [], ...parts } = launch(request, options);
      const files = tempFiles.map((file) => ({
        ...file,
        content: file.content.replaceAll("https://api.z.ai/api/anthropic", url),
      }));
      return { ...parts, tempFiles: files, env: { ...parts.env, ANTHROPIC_BASE_URL: url } };
    },
  });
}
