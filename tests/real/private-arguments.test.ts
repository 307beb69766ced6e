import type { FakeAnswer } from "../../src/testing/index.ts";
import { describePrivateArguments } from "./matrix/describe-private-arguments.ts";

const asText = (object: object): FakeAnswer => ({ kind: "text", text: JSON.stringify(object) });

describePrivateArguments("claude", "StructuredOutput");
describePrivateArguments("qwen", "structured_output");
describePrivateArguments("codex", asText);
// Grok Build takes a schema only as an argument.
describePrivateArguments("grok");
