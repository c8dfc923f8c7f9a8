/** Maps that do not grow for ever: a gateway runs for months. */

/** Sets, as the newest, and drops the oldest beyond a bound. */
export function put<K, V>(map: Map<K, V>, key: K, value: V, most = 1_000): void {
  map.delete(key);
  map.set(key, value);
  for (const oldest of map.keys()) {
    if (map.size <= most) break;
    map.delete(oldest);
  }
}
