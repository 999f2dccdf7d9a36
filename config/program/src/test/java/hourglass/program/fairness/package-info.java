/** A client that does its worst, and what another client notices of it. */
package hourglass.program.fairness;
