/** What a client sends can be as long as it likes: as much of it as an error or a log line shows. */
export const shortened = (text: string, longest: number): string =>
  text.length > longest ? `${text.slice(0, longest).toWellFormed()}…` : text
