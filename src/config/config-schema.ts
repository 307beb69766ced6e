import { FAILURE_CODES } from "../spec/failure-codes.ts";
import type { JsonObject } from "../spec/json.ts";

/** Something that can stand on a command line. */
const WORD: JsonObject = { type: "string", pattern: "^[^\\u0000]+$" };
const WORDS: JsonObject = { type: "array", items: WORD };
const FLAG: JsonObject = { type: "string", pattern: "^-[^\\u0000]*$" };
/** Numbers, and what may follow them. */
const VERSION: JsonObject = { type: "string", pattern: "^\\d+(?:\\.\\d+)*(?:[-+].*)?$" };
const LINE: JsonObject = { type: "string", minLength: 1 };
const PATHS: JsonObject = { type: ["string", "array"], minLength: 1, items: LINE };

const field = (shape: JsonObject, description: string): JsonObject => ({ ...shape, description });

const EXTRACTION: JsonObject = {
  type: "object",
  additionalProperties: false,
  properties: {
    content: field(PATHS, "Where the answer, or a piece of it, is. Looked at before the usual fields."),
    error: field(PATHS, "Where the words of an error are; what is there makes the run fail."),
    sessionId: field(PATHS, "Where the id of the conversation is."),
    inputTokens: field(PATHS, "Where the tokens of the prompt are counted."),
    outputTokens: field(PATHS, "Where the tokens of the answer are counted."),
    end: field(
      { type: "object", minProperties: 1, additionalProperties: { type: ["string", "number", "boolean"] } },
      'Fields of the line that ends a turn, such as { "type": "done" }. A run without that line has failed. Only for stream-json.',
    ),
  },
};

const ERROR_RULE: JsonObject = {
  type: "object",
  additionalProperties: false,
  required: ["code"],
  properties: {
    text: field(LINE, "A regular expression for the words of the error; case does not count."),
    exitCode: field({ type: "integer", minimum: 0, maximum: 255 }, "The exit code of the program."),
    code: field({ type: "string", enum: Object.keys(FAILURE_CODES) }, "What it means: a code of docs/failures.md."),
    hint: field(LINE, "What the person should do."),
    fixCommand: field(LINE, "The command that fixes it."),
  },
};

const MODEL: JsonObject = {
  type: "object",
  additionalProperties: false,
  required: ["modelId"],
  properties: {
    modelId: field(WORD, "What the CLI calls the model."),
    name: field(LINE, "What people call it."),
  },
};

const PROVIDER: JsonObject = {
  type: "object",
  additionalProperties: false,
  required: ["providerId", "command"],
  properties: {
    providerId: field({ type: "string", pattern: "^[a-z0-9]+(?:-[a-z0-9]+)*$" }, "Its name, as in cox ask --provider."),
    command: field(WORD, "The program: a name that is looked for on PATH, or a path; a relative one starts at this file."),
    label: field(LINE, "Its name for people; the id by default."),
    install: field(LINE, "The command that installs it."),
    login: field(LINE, "The command that logs in to it."),
    defaultArgs: field(WORDS, "Arguments of every call."),
    outputFormat: field({ type: "string", enum: ["text", "json", "stream-json"] }, "How it prints its answer; text by default."),
    promptStyle: field({ type: "string", enum: ["stdin", "arg"] }, "How it takes the prompt; stdin by default."),
    promptFlag: field(FLAG, "With promptStyle arg: the option that takes the prompt, such as --prompt."),
    endOfOptions: field(
      { type: "boolean" },
      'With promptStyle arg and no promptFlag: whether "--" goes before the prompt; true by default.',
    ),
    models: field({ type: "array", items: MODEL }, "Its models."),
    defaultModel: field(WORD, "The model that is used when none is named."),
    modelFlag: field(FLAG, "The option that takes the model. Without it the CLI's own choice is used."),
    maxTokens: field(
      { type: "integer", minimum: 1, maximum: 2147483647 },
      "The longest answer in tokens; passed by maxTokensFlag, otherwise for people only.",
    ),
    maxTokensFlag: field(FLAG, "The option that takes the longest answer in tokens."),
    timeout: field(
      { type: "integer", minimum: 1, maximum: 2147483647 },
      "Milliseconds after which a run is given up; 600000 by default.",
    ),
    apiKeys: field(
      { type: "array", items: { type: "string", pattern: "^[A-Za-z_][A-Za-z0-9_]*$" } },
      "Names of the variables that hold its API keys; never the keys.",
    ),
    versionsChecked: field(
      {
        type: "object",
        additionalProperties: false,
        required: ["oldest", "newest"],
        properties: { oldest: VERSION, newest: VERSION },
      },
      "The oldest and the newest version with which this entry was seen to work, as --version prints them.",
    ),
    requires: field(
      { type: "object", additionalProperties: false, properties: { files: WORDS, binaries: WORDS } },
      "Files and programs that must be there besides: absolute, below the home directory (~/), or beside the program.",
    ),
    extraction: field(EXTRACTION, "Where things are in its JSON, as paths such as data.reply or choices.0.text."),
    errors: field({ type: "array", items: ERROR_RULE }, "What its errors mean; the first rule that holds counts."),
  },
};

/** The JSON Schema of configuration files; schemas/coxswain.config.schema.json is written from it. */
export const CONFIG_SCHEMA: JsonObject = {
  $schema: "http://json-schema.org/draft-07/schema#",
  title: "Coxswain configuration",
  type: "object",
  additionalProperties: false,
  properties: {
    $schema: field({ type: "string" }, "This schema."),
    providers: field({ type: "array", items: PROVIDER }, "CLIs besides the built-in ones."),
  },
};
