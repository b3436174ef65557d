// The one way in which the bootstrap gives up: a sentence for people and an exit code.

export class BootstrapError extends Error {
  constructor(message, exitCode = 1) {
    super(message);
    this.name = 'BootstrapError';
    this.exitCode = exitCode;
  }
}
