export function skillPage(text: string): string
