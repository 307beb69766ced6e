import { grokVibe } from "../support/real-clis/rows/grok-vibe.ts";
import { describeCli } from "./matrix/describe-cli.ts";

describeCli(grokVibe);
