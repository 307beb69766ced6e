import { qwen } from "./clis/qwen.ts";
import { describeCli } from "./matrix/describe-cli.ts";

describeCli(qwen);
