import type { HTMLAttributes, JSX, Ref } from "react";
import type { Attributes, Handlers, ZabScopeElement } from "./element.js";

export interface ZabScopeProps extends Attributes, Handlers, Omit<HTMLAttributes<ZabScopeElement>, keyof Attributes | keyof Handlers> {
  ref?: Ref<ZabScopeElement>;
}

/** The element `<zab-scope>`; a `ref` is the element itself, which has the methods. */
export function ZabScope(props: ZabScopeProps): JSX.Element;
