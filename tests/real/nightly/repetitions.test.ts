import { gemini } from "../clis/gemini.ts";
import { opencode } from "../clis/opencode.ts";
import { qwen } from "../clis/qwen.ts";
import { describeLargeAnswer } from "../matrix/describe-sizes.ts";
import { describeQwenProcess } from "../qwen-process.ts";

// What goes wrong in some runs only is looked for more than once.
for (const row of [gemini, opencode, qwen]) describeLargeAnswer(row, 3);
describeQwenProcess(5);
