import type { FunctionalComponent } from "vue";
import type { Attributes, Handlers } from "./element.js";

/** The element `<zab-scope>`; a template's `ref` is the element itself, which has the methods. */
export const ZabScope: FunctionalComponent<Attributes & Handlers>;
