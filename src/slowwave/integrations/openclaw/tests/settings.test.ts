import assert from "node:assert/strict";
import test from "node:test";

import { exposure, settingsFrom } from "../src/settings.ts";

test("works without any settings", () => {
  const found = settingsFrom(undefined, {});
  assert.equal(found.baseUrl, "http://127.0.0.1:8377");
  assert.deepEqual(
    [found.budget, found.timeoutMs, found.mode, found.token, found.groups, found.capture],
    [600, 1500, "slot", undefined, false, true],
  );
});

test("the token of the settings wins over the environment's", () => {
  assert.equal(settingsFrom({}, { SLOWWAVE_TOKEN: "from-env" }).token, "from-env");
  assert.equal(settingsFrom({ token: " mine " }, { SLOWWAVE_TOKEN: "from-env" }).token, "mine");
  assert.equal(settingsFrom({ token: "  " }, {}).token, undefined);
});

test("addresses lose their trailing slash and keep their path", () => {
  assert.equal(settingsFrom({ baseUrl: "http://localhost:9000/" }, {}).baseUrl, "http://localhost:9000");
  assert.equal(settingsFrom({ baseUrl: "https://home.example/slow/" }, {}).baseUrl, "https://home.example/slow");
});

for (const baseUrl of ["localhost:8377", "ftp://here", "not an address", "http://u:p@here"]) {
  test(`${baseUrl} is refused with the setting's name`, () => {
    assert.throws(() => settingsFrom({ baseUrl }, {}), /plugins\.entries\.slowwave\.config\.baseUrl/u);
  });
}

test("numbers out of range are brought into it", () => {
  const found = settingsFrom({ budget: -5, timeoutMs: 10 ** 9 }, {});
  assert.deepEqual([found.budget, found.timeoutMs], [1, 15_000]);
  assert.equal(settingsFrom({ budget: Number.NaN }, {}).budget, 600);
});

test("an unencrypted address elsewhere is warned about, here it is not", () => {
  assert.equal(exposure(settingsFrom({}, {})), undefined);
  assert.equal(exposure(settingsFrom({ baseUrl: "http://[::1]:8377" }, {})), undefined);
  assert.equal(exposure(settingsFrom({ baseUrl: "https://home.example" }, {})), undefined);
  assert.match(exposure(settingsFrom({ baseUrl: "http://home.example", token: "t" }, {})) ?? "", /token/u);
});
