const SECRET_NAME =
  /(?:token|secret|password|passwd|passphrase|authorization|signature|cookie|apikey|accesskey|privatekey|cv[vcn]2?|securitycode|cardnumber|accountnumber|^(?:pan|pin|csc))$/

/** Whether a field, a header or a query parameter of this name holds a secret. Case, `-`, `_` and spaces make no difference. */
export const isSecretName = (name: string): boolean =>
  SECRET_NAME.test(name.toLowerCase().replaceAll(/[-_ ]/g, ''))
