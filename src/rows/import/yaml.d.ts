/** The bundler reads these files as text. */
declare module '*.yaml' {
  const text: string
  export default text
}
