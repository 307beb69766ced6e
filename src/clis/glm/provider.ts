import { claudeAskingInput } from "../../dialects/claude/claude-lines.ts";
import { claudeWire } from "../../dialects/claude/claude-stream.ts";
import { plainText } from "../../dialects/generic/plain-text.ts";
import type { JsonObject } from "../../spec/json.ts";
import { type Variables, variableOf } from "../../spec/provider/cli-data.ts";
import type { LaunchOptions, LaunchParts, Provider } from "../../spec/provider/provider.ts";
import type { Surroundings } from "../../spec/provider/provider-facts.ts";
import type { PromptRequest } from "../../spec/request.ts";
import type { SimpleWire } from "../../spec/wire/define-wire.ts";
import { NO_SUCH_TOOL } from "../claude/faults.ts";
import { CLAUDE_VARIABLES, launchClaude } from "../claude/launch.ts";
import { claude } from "../claude/provider.ts";
import { residentOf } from "../claude/resident.ts";
import { MODEL_WORDS } from "../shared/model-words.ts";

/** It computes costs with another vendor's prices. */
const glmStream: SimpleWire = claudeWire({ input: claudeAskingInput, hasForeignCost: true });

const ENDPOINT = "https://api.z.ai/api/anthropic";
/** A z.ai endpoint that the user has configured for Claude Code, with its token. */
const OWN_ENDPOINT = /^https:\/\/(?:[\w-]+\.)*(?:z\.ai|bigmodel\.cn)\//;

const TOKEN = "ANTHROPIC_AUTH_TOKEN";
const KEYS: readonly string[] = ["ZAI_API_KEY", "GLM_API_KEY"];
/** Credentials of Anthropic or of a cloud must not reach z.ai, nor send a prompt to another service. */
const STRANGERS: readonly string[] = [
  ...["ANTHROPIC_API_KEY", "ANTHROPIC_CUSTOM_HEADERS", "CLAUDE_CODE_OAUTH_TOKEN", "CLAUDE_CODE_USE_BEDROCK"],
  ...["CLAUDE_CODE_USE_VERTEX", "CLAUDE_CODE_USE_FOUNDRY"],
];
const { login: _, ...base } = claude;

const SPAWN = { ...claude.transports.spawn, launch: launchGlm, wire: glmStream };

/** GLM, z.ai's models, through Claude Code as the vendor documents it. */
export const glm: Provider = {
  ...base,
  id: "glm",
  aliases: ["zai"],
  label: "GLM (Claude Code)",
  // `refuse` checks the keys.
  loginStatus: {},
  traits: { ...claude.traits, cost: false },
  env: {
    ...claude.env,
    set: {
      ...claude.env.set,
      API_TIMEOUT_MS: "3000000",
      ANTHROPIC_DEFAULT_HAIKU_MODEL: "glm-4.5-air",
      ANTHROPIC_DEFAULT_SONNET_MODEL: "glm-4.7",
      ANTHROPIC_DEFAULT_OPUS_MODEL: "glm-4.7",
    },
    strip: STRANGERS,
    apiKeys: KEYS,
  },
  connection: CLAUDE_VARIABLES,
  refuse({ auth }, { env = {} }) {
    if (auth !== "subscription" && env[keyIn(env)]) return undefined;
    // Claude Code would otherwise send its own login to z.ai.
    return {
      code: "not-logged-in",
      message: "GLM needs an API key of z.ai, and the environment has none.",
      hint: "Set ZAI_API_KEY to the key of your account.",
    };
  },
  transports: { spawn: SPAWN, resident: residentOf(SPAWN) },
  recordedWires: [{ ...glmStream, framing: "json" }, plainText],
  objectTool: "StructuredOutput",
  refusedCall: NO_SUCH_TOOL,
  limitations: [...(claude.limitations ?? []), "It needs a key in ZAI_API_KEY; it never uses a login of Claude Code."],
  models: ["glm-4.7", "glm-4.5-air"],
  vendorModels: /^glm-/,
  modelWords: MODEL_WORDS.zai,
  defaultModel: "glm-4.7",
};

function launchGlm(request: PromptRequest, options: LaunchOptions): LaunchParts {
  const { env = {} } = options;
  const key = keyIn(env);
  // Its limit of the cost would be computed with another vendor's prices.
  const { budget: _, ...unlimited } = request;
  const parts = launchClaude(unlimited, request.mode === "agent" ? { ...options, connection: ownConnection(key) } : options);
  const login: Variables = key === TOKEN ? {} : { ANTHROPIC_BASE_URL: ENDPOINT, [TOKEN]: variableOf(key) };
  return { ...parts, env: { ...parts.env, ...login } };
}

/**
 * The settings that keep an agent at z.ai. Claude Code puts the variables of the user's settings over those of its environment, and these over both;
 * an empty helper is none (2.1.197, 2.1.326). Without them it sends the key of z.ai to an ANTHROPIC_BASE_URL of the user's settings.
 */
function ownConnection(key: string): JsonObject {
  const endpoint = key === TOKEN ? variableOf("ANTHROPIC_BASE_URL") : ENDPOINT;
  const strangers = Object.fromEntries(STRANGERS.map((name) => [name, ""]));
  return { env: { ...strangers, ANTHROPIC_BASE_URL: endpoint, [TOKEN]: variableOf(key) }, apiKeyHelper: "" };
}

function keyIn(env: Surroundings): string {
  const isSetUp = OWN_ENDPOINT.test(env["ANTHROPIC_BASE_URL"] ?? "") && env[TOKEN];
  return KEYS.find((name) => env[name]) ?? (isSetUp ? TOKEN : "ZAI_API_KEY");
}
