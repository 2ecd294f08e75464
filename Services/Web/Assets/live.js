// Keeps an open page up to date. Without it, every page works the same, except that it stays as it was loaded.

/** A stream of events that stops while nobody can see the page, and goes on where it was. */
export class Stream {
  #source = null;
  #last = null;
  #isPaused = false;

  /**
   * @param {() => string} address of the stream.
   * @param {Object<string, (data: object) => void>} handlers by the name of the event.
   */
  constructor(address, handlers) {
    this.address = address;
    this.handlers = handlers;
    document.addEventListener("visibilitychange", () => this.#update());
    // A browser opens only six connections to a host, so that a forgotten one would block the pages.
    addEventListener("pagehide", () => this.#close());
    addEventListener("pageshow", () => this.#update());
    this.#update();
  }

  set isPaused(value) {
    this.#isPaused = value;
    this.#update();
  }

  #update() {
    if (this.#isPaused || document.hidden) this.#close();
    else if (!this.#source) this.#open();
  }

  #open() {
    const url = new URL(this.address(), location.href);
    if (this.#last) url.searchParams.set("after", this.#last);
    this.#source = new EventSource(url);
    for (const [name, handle] of Object.entries(this.handlers)) {
      this.#source.addEventListener(name, (event) => {
        this.#last = event.lastEventId || this.#last;
        handle(JSON.parse(event.data));
      });
    }
    this.#source.addEventListener("error", () => {
      // The browser connects again by itself, except after a refusal.
      if (this.#source?.readyState === EventSource.CLOSED) {
        this.#close();
        setTimeout(() => this.#update(), 10_000);
      }
    });
    document.documentElement.dataset.live = "open";
  }

  #close() {
    this.#source?.close();
    this.#source = null;
    document.documentElement.dataset.live = "closed";
  }
}

/** Our own pages only: the text comes from the address that is shown. */
const policy = globalThis.trustedTypes?.createPolicy("boxoffice", { createHTML: (text) => text });

export function parse(html) {
  return new DOMParser().parseFromString(policy ? policy.createHTML(html) : html, "text/html");
}

/** Shows the controls of a live page, and connects its button. */
export function controls(section, onPause) {
  const button = section.querySelector("button");
  const status = section.querySelector("[role=status]");
  section.hidden = false;
  button.addEventListener("click", () => {
    const isPaused = button.getAttribute("aria-pressed") !== "true";
    button.setAttribute("aria-pressed", String(isPaused));
    onPause(isPaused);
  });
  return (text) => {
    status.textContent = text;
  };
}
