import { describeEveryTool, READING } from "../every-tool/describe-every-tool.ts";
import { useOldest } from "../use-oldest.ts";

useOldest();
describeEveryTool("claude", READING);
