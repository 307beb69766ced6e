import { gemini } from "./clis/gemini.ts";
import { describeCli } from "./matrix/describe-cli.ts";

describeCli(gemini);
