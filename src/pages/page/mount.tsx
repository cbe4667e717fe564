import { render } from 'preact'
import type { ComponentChild } from 'preact'

/** Draws a page into the element that its HTML file provides. */
export function mountPage(page: ComponentChild): void {
  const element = document.getElementById('page')
  if (element !== null) render(page, element)
}
