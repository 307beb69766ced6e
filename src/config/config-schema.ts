import { FAILURE_CODES } from "../spec/failure/failure-codes.ts";
import type { JsonObject } from "../spec/json.ts";

const WORD: JsonObject = { type: "string", pattern: "^[^\\u0000]+$" };
const FLAG: JsonObject = { type: "string", pattern: "^-[^\\u0000]*$" };
/** Numbers with dots, and an optional suffix. */
const VERSION: JsonObject = { type: "string", pattern: "^\\d+(?:\\.\\d+)*(?:[-+].*)?$" };
const LINE: JsonObject = { type: "string", minLength: 1 };
const PATHS: JsonObject = { type: ["string", "array"], minLength: 1, items: LINE };

const closed = (properties: JsonObject, ...required: readonly string[]): JsonObject => ({
  type: "object",
  additionalProperties: false,
  ...(required.length > 0 && { required }),
  properties,
});
const listOf = (items: JsonObject): JsonObject => ({ type: "array", items });
const WORDS = listOf(WORD);
const field = (shape: JsonObject, description: string): JsonObject => ({ ...shape, description });

const EXTRACTION: JsonObject = closed({
  content: field(PATHS, "The path of the answer or of a piece of it. It is read before the default fields."),
  error: field(PATHS, "The path of the error message. The run fails if it has a value."),
  sessionId: field(PATHS, "The path of the session id."),
  inputTokens: field(PATHS, "The path of the input token count."),
  outputTokens: field(PATHS, "The path of the output token count."),
  end: field(
    { type: "object", minProperties: 1, additionalProperties: { type: ["string", "number", "boolean"] } },
    'Fields of the line that ends a turn, such as { "type": "done" }. A run without that line has failed. Only for stream-json.',
  ),
});

const ERROR_RULE: JsonObject = closed(
  {
    text: field(LINE, "A regular expression for the error text; case is ignored."),
    exitCode: field({ type: "integer", minimum: 0, maximum: 255 }, "The exit code of the program."),
    code: field({ type: "string", enum: Object.keys(FAILURE_CODES) }, "The failure code, from docs/failures.md."),
    hint: field(LINE, "What the user should do."),
    fixCommand: field(LINE, "The command that fixes it."),
  },
  "code",
);

const MODEL: JsonObject = closed(
  {
    modelId: field(WORD, "The model name that the CLI accepts."),
    name: field(LINE, "The display name."),
  },
  "modelId",
);

export const PROVIDER: JsonObject = closed(
  {
    providerId: field(
      { type: "string", pattern: "^[a-z0-9]+(?:-[a-z0-9]+)*$" },
      "The id of the provider, as in cox ask --provider.",
    ),
    command: field(WORD, "The program: a name on PATH, or a path. A relative path starts at this file."),
    label: field(LINE, "The display name; the id by default."),
    install: field(LINE, "The command that installs it."),
    login: field(LINE, "The command that logs in to it."),
    defaultArgs: field(WORDS, "Arguments of every call."),
    outputFormat: field(
      { type: "string", enum: ["text", "json", "stream-json"] },
      "The output format of the CLI; text by default.",
    ),
    promptStyle: field({ type: "string", enum: ["stdin", "arg"] }, "How the CLI takes the prompt; stdin by default."),
    promptFlag: field(FLAG, "With promptStyle arg: the option that takes the prompt, such as --prompt."),
    endOfOptions: field(
      { type: "boolean" },
      'With promptStyle arg and no promptFlag: whether "--" goes before the prompt; true by default.',
    ),
    models: field(listOf(MODEL), "The models of the CLI."),
    defaultModel: field(WORD, "The default model."),
    modelFlag: field(FLAG, "The option that takes the model. Without it the CLI uses its own default."),
    maxTokens: field(
      { type: "integer", minimum: 1, maximum: 2147483647 },
      "The output limit in tokens. It is passed by maxTokensFlag; without that flag it is only documentation.",
    ),
    maxTokensFlag: field(FLAG, "The option that takes the output limit."),
    timeout: field(
      { type: "integer", minimum: 1, maximum: 2147483647 },
      "The timeout of a run in milliseconds; 600000 by default.",
    ),
    apiKeys: field(
      { type: "array", items: { type: "string", pattern: "^[A-Za-z_][A-Za-z0-9_]*$" } },
      "The names of the environment variables with its API keys, not the keys.",
    ),
    versionsChecked: field(
      closed({ oldest: VERSION, newest: VERSION }, "oldest", "newest"),
      "The oldest and the newest version with which this entry was tested, as --version prints them.",
    ),
    requires: field(
      closed({ files: WORDS, binaries: WORDS }),
      "Other files and programs that must exist: absolute, in the home directory (~/), or next to the program.",
    ),
    extraction: field(EXTRACTION, "Where to find the values in the JSON output, as paths such as data.reply or choices.0.text."),
    errors: field(listOf(ERROR_RULE), "Rules that map errors to failure codes; the first matching rule is used."),
  },
  "providerId",
  "command",
);

export const DEFAULTS: JsonObject = closed({
  provider: field(LINE, "The default of --provider: id, id/model, a vendor's model, or a fallback chain separated by commas."),
  model: field(WORD, "The default of --model, for the provider of this file or of a less important one."),
  system: field(LINE, "The default of --system. A project's file cannot set it."),
});

export const ALIASES: JsonObject = { type: "object", additionalProperties: LINE };

/** The JSON Schema of configuration files; schemas/coxswain.config.schema.json is written from it. */
export const CONFIG_SCHEMA: JsonObject = {
  $schema: "http://json-schema.org/draft-07/schema#",
  title: "Coxswain configuration",
  ...closed({
    $schema: field({ type: "string" }, "This schema."),
    defaults: field(DEFAULTS, "Defaults of cox ask. The library does not use them."),
    aliases: field(
      ALIASES,
      'Names for fallback chains, such as { "best": "claude/opus,codex" }, for --provider and as models of cox serve. A project\'s file cannot set them.',
    ),
    providers: field(listOf(PROVIDER), "Providers in addition to the built-in ones."),
  }),
};
