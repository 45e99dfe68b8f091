"use client";
// <ZabScope> for React 19: the element, whose events are heard as React's are. A ref is the element itself.
import { createElement } from "react";
import "./element.js";

const EVENTS = /^on(Ready|Fact|Step|State|Beat|Answer|Goal|Key|Error)$/;

export function ZabScope(props) {
  // an element's own events have plain names in React
  const named = ([name, value]) => [EVENTS.test(name) ? name.toLowerCase() : name, value];
  return createElement("zab-scope", Object.fromEntries(Object.entries(props).map(named)));
}
