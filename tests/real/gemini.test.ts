import { gemini } from "../support/real-clis/rows/gemini.ts";
import { describeCli } from "./matrix/describe-cli.ts";

describeCli(gemini);
