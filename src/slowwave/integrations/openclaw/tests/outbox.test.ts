import assert from "node:assert/strict";
import { mkdir, readdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import test, { type TestContext } from "node:test";

import { Outbox, OutboxFull } from "../src/outbox.ts";
import { Slowwave } from "../src/server.ts";
import { event, fakeServer, folder, NOBODY, quiet, settings, type Answers } from "./fake.ts";

async function outboxOf(t: TestContext, answer?: Answers, limits = {}) {
  const fake = await fakeServer(t, answer);
  const directory = await folder(t);
  const log = quiet();
  const at = (url: string) => {
    const server = new Slowwave(settings(url, { timeoutMs: 500 }));
    const outbox = new Outbox(directory, (batch) => server.log(batch.events, batch.space), log, limits);
    t.after(() => outbox.stop());
    return outbox;
  };
  return { fake, directory, log, at };
}

test("delivers in order, with the space, and leaves nothing behind", async (t) => {
  const { fake, directory, at } = await outboxOf(t);
  const outbox = at(fake.url);
  await outbox.add({ space: "work", events: [event("one"), event("two")] });
  await outbox.add({ events: [event("three")] });
  await outbox.drain();
  assert.deepEqual(fake.events().map((one) => one.text), ["one", "two", "three"]);
  assert.deepEqual(fake.asked.map((one) => one.space), ["work", null]);
  assert.deepEqual(await readdir(join(directory, "outbox")), []);
});

test("a server that is away costs nothing but time: another process delivers later", async (t) => {
  const { fake, log, at } = await outboxOf(t);
  const away = at(NOBODY);
  await away.add({ events: [event("kept")] });
  await away.drain();
  const { batches, lastError, nextTryMs } = await away.waiting();
  assert.equal(batches, 1);
  assert.match(lastError ?? "", /slowwave serve/u);
  assert.ok(nextTryMs !== undefined && nextTryMs > 0);
  assert.equal(log.lines.length, 1);
  await at(fake.url).drain();
  assert.deepEqual(fake.events().map((one) => one.text), ["kept"]);
});

test("what fails for the moment waits, and is sent again", async (t) => {
  for (const status of [429, 500, 503]) {
    const { fake, at } = await outboxOf(t, () => ({ status, body: { title: "later" } }));
    const outbox = at(fake.url);
    await outbox.add({ events: [event("again")] });
    await outbox.drain();
    assert.equal((await outbox.waiting()).batches, 1);
    await outbox.drain(); // still in the pause: not even tried
    assert.equal(fake.asked.length, 1);
    fake.answer = () => undefined;
    await outbox.drain(true);
    assert.equal((await outbox.waiting()).batches, 0);
  }
});

test("a closed door tells which setting opens it", async (t) => {
  const { fake, at } = await outboxOf(t, () => ({ status: 401, body: { title: "no token" } }));
  const outbox = at(fake.url);
  await outbox.add({ events: [event("x")] });
  await outbox.drain();
  assert.match((await outbox.waiting()).lastError ?? "", /SLOWWAVE_TOKEN/u);
});

test("an event that is not taken does not stop the good ones", async (t) => {
  const bad: Answers = ({ body }) =>
    body.events.some((one: { text: string }) => one.text === "bad") ? { status: 422, body: { title: "no" } } : undefined;
  const { fake, log, at } = await outboxOf(t, bad);
  const outbox = at(fake.url);
  await outbox.add({ events: ["a", "b", "bad", "c", "d"].map((text) => event(text)) });
  await outbox.add({ events: [event("e")] });
  await outbox.drain();
  const { batches, rejected } = await outbox.waiting();
  assert.deepEqual([batches, rejected], [0, 1]);
  const taken = fake.asked.filter((one) => !bad(one)).flatMap((one) => one.body.events);
  assert.deepEqual(taken.map((one) => one.text), ["a", "b", "c", "d", "e"]);
  assert.match(log.lines.join(), /not taken/u);
});

test("what the server will never keep is put aside and told", async (t) => {
  const { fake, log, at } = await outboxOf(t, () => ({
    body: { events: [{ id: "e" }], duplicates: 0, skipped: [{ line: 2, reason: "no such time" }] },
  }));
  const outbox = at(fake.url);
  await outbox.add({ events: [event("good"), event("bad")] });
  await outbox.drain();
  assert.deepEqual([(await outbox.waiting()).batches, (await outbox.waiting()).rejected], [0, 1]);
  assert.match(log.lines.join(), /no such time/u);
});

test("a damaged file is put aside", async (t) => {
  const { fake, directory, at } = await outboxOf(t);
  await mkdir(join(directory, "outbox"), { recursive: true });
  await writeFile(join(directory, "outbox", "0-half.json"), '{"events": [{"te');
  const outbox = at(fake.url);
  await outbox.add({ events: [event("good")] });
  await outbox.drain();
  assert.deepEqual([fake.events().length, (await outbox.waiting()).rejected], [1, 1]);
});

test("a full outbox takes nothing more, and says what to do", async (t) => {
  const { at } = await outboxOf(t, undefined, { batches: 2 });
  const outbox = at(NOBODY);
  await outbox.add({ events: [event("1")] });
  await outbox.add({ events: [event("2")] });
  await assert.rejects(outbox.add({ events: [event("3")] }), (error) => {
    return error instanceof OutboxFull && /slowwave serve/u.test(error.message);
  });
  assert.equal((await outbox.waiting()).batches, 2);
});

test("much is sent in parts", async (t) => {
  const { fake, at } = await outboxOf(t, undefined, { events: 2, batchChars: 5_000 });
  const outbox = at(fake.url);
  await outbox.add({ events: [event("a"), event("b"), event("c"), event("x".repeat(9_000)), event("d")] });
  await outbox.drain();
  assert.deepEqual(fake.asked.map((one) => one.body.events.length), [2, 1, 1, 1]);
});

test("only the owner of the machine can read what waits", async (t) => {
  const { directory, at } = await outboxOf(t);
  await at(NOBODY).add({ events: [event("private")] });
  const [name] = await readdir(join(directory, "outbox"));
  assert.equal((await stat(join(directory, "outbox", name ?? ""))).mode & 0o077, 0);
  assert.equal((await stat(join(directory, "outbox"))).mode & 0o077, 0);
});

test("a server that answers something else is not taken for Slowwave", async (t) => {
  const { fake, at } = await outboxOf(t, () => ({ body: "<html>welcome</html>" }));
  const outbox = at(fake.url);
  await outbox.add({ events: [event("x")] });
  await outbox.drain();
  assert.match((await outbox.waiting()).lastError ?? "", /baseUrl/u);
});
