// The TypeScript SDK's client: `node typescript_client.mjs v1|legacy|modern TARGET`, where TARGET is a URL or a JSON
// array with a command line. It says what the weather server's recording holds, and prints what it got as JSON.
const [sdk, target] = process.argv.slice(2);
const at = sdk === "v1" ? "@modelcontextprotocol/sdk/client/" : "@modelcontextprotocol/client";
const { Client } = await import(sdk === "v1" ? `${at}index.js` : at);
const { StreamableHTTPClientTransport } = await import(sdk === "v1" ? `${at}streamableHttp.js` : at);
const { StdioClientTransport } = await import(sdk === "v1" ? `${at}stdio.js` : `${at}/stdio`);

const command = target.startsWith("[") ? JSON.parse(target) : null;
const transport = command
  ? new StdioClientTransport({ command: command[0], args: command.slice(1) })
  : new StreamableHTTPClientTransport(new URL(target));
const options = { capabilities: { elicitation: {} } };
if (sdk !== "v1") options.versionNegotiation = { mode: sdk === "modern" ? "auto" : "legacy" };
const client = new Client({ name: "typescript", version: "1.0.0" }, options);
const answer = async () => ({ action: "accept", content: { unit: "celsius" } });
if (sdk === "v1") {
  const { ElicitRequestSchema } = await import("@modelcontextprotocol/sdk/types.js");
  client.setRequestHandler(ElicitRequestSchema, answer);
} else {
  client.setRequestHandler("elicitation/create", answer);
}

const said = { progress: [] };
await client.connect(transport);
said.server = client.getServerVersion();
said.tools = (await client.listTools()).tools.map((tool) => tool.name);
const call = (name, args, more) =>
  sdk === "v1"
    ? client.callTool({ name, arguments: args }, undefined, more)
    : client.callTool({ name, arguments: args }, more);
said.forecast = (await call("forecast", { city: "Berlin", days: 2 })).structuredContent;
said.failed = (await call("fail", { reason: "no weather today" })).isError;
const onprogress = (progress) => said.progress.push(progress.message);
said.survey = (await call("survey", { cities: ["Berlin", "Paris", "Rome"] }, { onprogress })).structuredContent;
try {
  said.convert = (await call("convert", { celsius: 21.5 })).structuredContent;
} catch (error) {
  said.convert = error.code;
}
said.stations = (await client.readResource({ uri: "weather://stations" })).contents[0].text;
said.prompt = (await client.getPrompt({ name: "summary", arguments: { city: "Berlin" } })).messages[0].content.text;
await client.close();
console.log(JSON.stringify(said));
