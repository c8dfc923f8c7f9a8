// Keys and the slider of days. Every page works without this.
"use strict";

(() => {
  const typing = (target) =>
    target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
  const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const changes = [...document.querySelectorAll("[data-change]")];

  const here = () => {
    const inside = document.activeElement && document.activeElement.closest("[data-change]");
    return inside || document.querySelector("[data-change].here");
  };

  const move = (to) => {
    if (!to) return;
    changes.forEach((one) => one.classList.toggle("here", one === to));
    to.focus({ preventScroll: true });
    to.scrollIntoView({ block: "nearest", behavior: calm ? "auto" : "smooth" });
  };

  const step = (by) => {
    const at = changes.indexOf(here());
    move(changes[at < 0 ? (by > 0 ? 0 : changes.length - 1) : at + by]);
  };

  const press = (within, key) => {
    const button = within && within.querySelector(`[data-key="${key}"]`);
    if (button) button.click();
  };

  const help = () => {
    const keys = document.getElementById("keys");
    if (!keys) return;
    keys.open = !keys.open;
    if (keys.open) keys.querySelector("summary").focus();
  };

  const search = () => {
    const field = document.querySelector("[data-search]");
    if (field) field.focus();
    else location.assign("/search");
  };

  const keys = {
    j: () => step(1),
    k: () => step(-1),
    a: () => press(here(), "a"),
    r: () => press(here(), "r"),
    A: () => press(document, "A"),
    u: () => press(document, "u"),
    "/": search,
    "?": help,
  };

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (event.key === "Escape" && typing(event.target)) return event.target.blur();
    if (typing(event.target) || event.repeat && !/^[jk]$/.test(event.key)) return;
    const act = keys[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });

  // After a decision the page comes back at the next change: stand there.
  const named = location.hash.length > 1 && document.getElementById(location.hash.slice(1));
  if (named && named.matches("[tabindex]")) {
    if (named.matches("[data-change]")) move(named);
    else named.focus({ preventScroll: true });
  }

  // A form is sent once.
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (form.method !== "post") return;
    if (form.dataset.sent) return event.preventDefault();
    form.dataset.sent = "1";
  });
  addEventListener("pageshow", () => {
    document.querySelectorAll("form[data-sent]").forEach((form) => delete form.dataset.sent);
  });

  // The place that is open is in sight where the places scroll.
  const place = document.querySelector(".places [aria-current]");
  if (place && place.parentElement) {
    const strip = place.closest("ul");
    strip.scrollLeft = place.offsetLeft - (strip.clientWidth - place.offsetWidth) / 2;
  }

  const slide = document.querySelector("[data-slide]");
  if (slide) {
    const slider = slide.querySelector("input[type=range]");
    const day = slide.querySelector("input[type=date]");
    const first = Date.parse(`${slide.dataset.first}T00:00:00Z`);
    const days = 24 * 3600 * 1000;
    const iso = (offset) => new Date(first + offset * days).toISOString().slice(0, 10);
    slider.closest("[hidden]").hidden = false;
    slider.setAttribute("aria-valuetext", day.value);
    slider.addEventListener("input", () => {
      day.value = iso(Number(slider.value));
      slider.setAttribute("aria-valuetext", day.value);
    });
    slider.addEventListener("change", () => slide.requestSubmit());
  }
})();
