package hourglass.query.advice;

/**
 * A better value of a setting.
 *
 * @param setting its key
 * @param value in the syntax of the configuration
 * @param reason the observation, and the effect of the value
 */
public record Proposal(String setting, String value, String reason) {}
