// Texts of the page whose colour is too near to what they stand on (WCAG 2.2, 1.4.3).
() => {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 1;
  const brush = canvas.getContext("2d", { willReadFrequently: true });
  const rgba = (colour) => {
    brush.clearRect(0, 0, 1, 1);
    brush.fillStyle = colour;
    brush.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = brush.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  };
  const over = (top, under) => {
    const a = top[3] + under[3] * (1 - top[3]);
    if (!a) return [0, 0, 0, 0];
    const mix = (i) => (top[i] * top[3] + under[i] * under[3] * (1 - top[3])) / a;
    return [mix(0), mix(1), mix(2), a];
  };
  const light = ([r, g, b]) => {
    const part = (v) => ((v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b);
  };
  const grounds = (element) => {
    // Every colour a text may stand on: of a gradient each of its stops.
    let found = [[0, 0, 0, 0]];
    for (let at = element; at; at = at.parentElement) {
      const style = getComputedStyle(at);
      const stops = at === document.body ? [] :
        (style.backgroundImage.match(/(?:rgba?|color)\([^)]*\)/g) || []);
      const own = stops.length ? stops.map(rgba) : [rgba(style.backgroundColor)];
      found = found.flatMap((top) => (top[3] >= 0.999 ? [top] : own.map((under) => over(top, under))));
    }
    const page = rgba(getComputedStyle(document.documentElement).colorScheme.includes("dark") &&
      matchMedia("(prefers-color-scheme: dark)").matches ? "#121212" : "#ffffff");
    return found.map((top) => over(top, page));
  };
  const opacity = (element) => {
    let all = 1;
    for (let at = element; at; at = at.parentElement) all *= Number(getComputedStyle(at).opacity);
    return all;
  };
  const bad = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode.textContent.trim();
    const element = walker.currentNode.parentElement;
    if (!text || element.closest("title, script, option") || !element.checkVisibility()) continue;
    const style = getComputedStyle(element);
    const box = element.getBoundingClientRect();
    if (box.width <= 1 || style.clipPath !== "none") continue;
    const size = parseFloat(style.fontSize);
    const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    for (const ground of grounds(element)) {
      const given = rgba(style.color);
      const ink = over([given[0], given[1], given[2], given[3] * opacity(element)], ground);
      const [a, b] = [light(ink), light(ground)].sort((x, y) => y - x);
      const ratio = (a + 0.05) / (b + 0.05);
      if (ratio < (large ? 3 : 4.5)) {
        bad.push(`${ratio.toFixed(2)} ${element.tagName}.${element.className}: ${text.slice(0, 40)}`);
        break;
      }
    }
  }
  return bad;
}
