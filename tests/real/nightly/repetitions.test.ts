import { gemini } from "../../support/real-clis/rows/gemini.ts";
import { opencode } from "../../support/real-clis/rows/opencode.ts";
import { qwen } from "../../support/real-clis/rows/qwen.ts";
import { describeLargeAnswer } from "../matrix/describe-sizes.ts";
import { describeQwenProcess } from "../qwen-process.ts";

// Errors that occur only in some runs are tested several times.
for (const row of [gemini, opencode, qwen]) describeLargeAnswer(row, 3);
describeQwenProcess(5);
