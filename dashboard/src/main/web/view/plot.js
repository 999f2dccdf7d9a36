import uPlot from 'uplot';

import { OnTheme } from '../state/on-theme.js';
import { painter } from './painter.js';

/**
 * A uPlot within a view: drawn anew when the colours or the size of its place change, as a canvas follows neither by
 * itself, and gone with the view.
 */
export class Plot {
  #view;
  #place;
  #drawing;
  #uplot = null;
  #resize = new ResizeObserver(() => this.#fit());

  /**
   * @param {import('lit').LitElement} view
   * @param {string} place selects the element of the view that it is drawn in
   * @param {(page: {host: HTMLElement, paint: (css: string) => string, em: number, font: string}) => [object, Array]} drawing the
   *     options and the data of uPlot; `em`, in pixels, and `font` are those of the text around
   */
  constructor(view, place, drawing) {
    this.#view = view;
    this.#place = place;
    this.#drawing = drawing;
    view.addController(this);
    new OnTheme(view, () => this.draw());
  }

  hostDisconnected() {
    this.#resize.disconnect();
    this.clear();
  }

  /** The uPlot that is there now, or null. */
  get drawn() {
    return this.#uplot;
  }

  draw() {
    const host = this.#view.querySelector(this.#place);
    if (!host) return;
    this.#uplot?.destroy();
    const { fontFamily, fontSize } = getComputedStyle(host);
    const page = { host, paint: painter(host), em: Number.parseFloat(fontSize), font: `${fontSize} ${fontFamily}` };
    const [options, data] = this.#drawing(page);
    this.#uplot = new uPlot(options, data, host);
    this.#resize.observe(host);
  }

  clear() {
    this.#uplot?.destroy();
    this.#uplot = null;
  }

  #fit() {
    const { clientWidth: width, clientHeight: height } = this.#view.querySelector(this.#place) ?? {};
    const plot = this.#uplot;
    if (plot && width > 0 && (plot.width !== width || plot.height !== height)) this.draw();
  }
}
