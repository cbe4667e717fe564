/**
 * What is worth working out once, at build time, goes here: it gets the folder that becomes `dist` when it returns,
 * with the bundle in it. Nothing is for now.
 */
export async function prerender(_dist) {}
