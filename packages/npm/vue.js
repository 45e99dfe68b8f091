// <ZabScope> for Vue 3: the element, which no compiler has to be told of. A template's ref is the element itself.
import { h } from "vue";
import "./element.js";

export const ZabScope = (_props, { attrs, slots }) => h("zab-scope", attrs, slots.default?.());
ZabScope.inheritAttrs = false;
